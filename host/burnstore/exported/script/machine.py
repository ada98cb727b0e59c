"""Follows functions of TorchScript without numbers: each statement must be known to run, or not to run.

What is followed is a value of the graph (a `Ref`), a module, a function, or a plain value: None, a number, a
text, a list or tuple of such.
"""

import ast
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from burnpack.errors import BurnpackError, LimitExceeded, Unsupported, printable
from burnstore.exported.graph import Ref
from burnstore.exported.script import plain
from burnstore.exported.script.code import Code, Function

STEPS = 200_000  # statements and calls that are followed
LOOKS = 5_000_000  # at parts of lists
DEPTH = 40  # of calls in calls
_ROOTS = ("torch", "ops", "__torch__", "CONSTANTS")


@dataclass(frozen=True)
class Module:
    """An object of a class.

    path: as in "blocks.0". owner: the full name of its class. values: its attributes.
    """

    path: str
    owner: str
    values: dict[str, Any]


@dataclass(frozen=True)
class Dotted:
    """What is written with dots and is no value: a function, or the name of one."""

    name: str


class Network(Protocol):
    """What the machine works for."""

    def attribute(self, module: Module, name: str) -> Any:
        """Return a module's attribute. Raises `KeyError`."""
        ...

    def constant(self, number: int) -> Any:
        """Return a constant of the code."""
        ...

    def operation(self, name: str, values: list[Any], named: dict[str, Any], where: str) -> Any:
        """Add an operation to the graph; return what it makes."""
        ...

    def enter(self, module: Module) -> None:
        """Begin with a method of a module."""
        ...

    def leave(self) -> None:
        """End it."""
        ...


class _Returned(Exception):
    def __init__(self, value: Any) -> None:
        self.value = value


class Machine:
    """Follows functions. network: is told of operations, and asked for what modules have."""

    def __init__(self, code: Code, network: Network) -> None:
        self._code = code
        self._network = network
        self._steps = STEPS
        self._looks = LOOKS
        self._depth = 0

    def call_method(self, module: Module, name: str, values: list[Any], named: dict[str, Any]) -> Any:
        """Return what a method of a module answers."""
        function = self._code.method(module.owner, name)
        if function is None:
            raise Unsupported("a module has no such method in the code", module.path, found=name)
        self._network.enter(module)
        found = self.call(function, [module, *values], named)
        self._network.leave()
        return found

    def call(self, function: Function, values: list[Any], named: dict[str, Any]) -> Any:
        """Return what a function answers."""
        self._depth += 1
        if self._depth > DEPTH:
            raise LimitExceeded("calls are nested too deeply", function.path, expected=f"at most {DEPTH}")
        found = _Frame(self, function, values, named).run()
        self._depth -= 1
        return found

    def step(self, where: str) -> None:
        """Count a step."""
        self._steps -= 1
        if self._steps < 0:
            raise LimitExceeded("the code has too much to follow", where, expected=f"at most {STEPS} steps")

    def call_dotted(self, name: str, values: list[Any], named: dict[str, Any], where: str) -> Any:
        """Return what a function answers that is called by its full name."""
        if name.startswith("__torch__."):
            function = self._code.function(name)
            if function is None:
                raise Unsupported("the code has no such function", where, found=name)
            return self.call(function, values, named)
        is_plain = not self._has_tensor(values, where) and name in plain.FUNCTIONS and not named
        try:
            if is_plain:
                return plain.calls(name, values)
            if name in _OF_ANY:
                return _OF_ANY[name](*values)
        except (ArithmeticError, TypeError, ValueError, LookupError) as error:
            raise Unsupported(f"a call that is not understood: {printable(str(error))}", where) from None
        return self._network.operation(name, values, named, where)

    def _has_tensor(self, value: Any, where: str) -> bool:
        """Tell whether there is a value of the graph, or what is no plain value. Each look counts."""
        self._looks -= 1
        if self._looks < 0:
            raise LimitExceeded("lists of the code are too long", where, expected=f"at most {LOOKS} in all")
        if isinstance(value, (list, tuple)):
            return any(self._has_tensor(part, where) for part in value)
        return isinstance(value, (Ref, Module, Dotted))

    def constant(self, number: int) -> Any:
        """Return a constant of the code."""
        return self._network.constant(number)

    def attribute(self, module: Module, name: str) -> Any:
        """Return a module's attribute: its own, or that of its class."""
        try:
            return self._network.attribute(module, name)
        except KeyError:
            pass
        found = self._code.constant(module.owner, name)
        if found is None:
            raise Unsupported("a module has no such attribute", module.path, found=name)
        try:
            return ast.literal_eval(found)
        except (ValueError, TypeError, RecursionError, MemoryError):
            raise Unsupported("an attribute that is not understood", module.path, found=name) from None


class _Frame:
    """One call of a function."""

    def __init__(
        self, machine: Machine, function: Function, values: list[Any], named: dict[str, Any]
    ) -> None:
        self._machine = machine
        self._function = function
        self._names: dict[str, Any] = {}
        arguments = function.node.args
        names = [argument.arg for argument in arguments.args]
        if len(values) > len(names) or not set(named) <= set(names):
            raise Unsupported("a function is called with other arguments", function.where(function.node))
        for name, default in zip(reversed(names), reversed(arguments.defaults), strict=False):
            self._names[name] = self._value(default)
        self._names.update(zip(names, values, strict=False))
        self._names.update(named)
        if not set(names) <= set(self._names):
            raise Unsupported("a function is called with too few arguments", function.where(function.node))

    def run(self) -> Any:
        try:
            self._follow(self._function.node.body)
        except _Returned as returned:
            return returned.value
        return None

    def _refused(self, what: str, node: ast.stmt | ast.expr, found: object = None) -> Unsupported:
        return Unsupported(what, self._function.where(node), found=found)

    def _follow(self, body: list[ast.stmt]) -> None:
        for statement in body:
            where = self._function.where(statement)
            self._machine.step(where)
            try:
                self._statement(statement)
            except BurnpackError as error:
                raise error if error.item else error.about(where, None) from None

    def _statement(self, statement: ast.stmt) -> None:
        match statement:
            case ast.Assign([target], value):
                self._assign(target, self._value(value))
            case ast.AnnAssign(target, _, value) if value is not None:
                self._assign(target, self._value(value))
            case ast.Expr(value):
                self._value(value)
            case ast.Return(value):
                raise _Returned(None if value is None else self._value(value))
            case ast.If(test, body, otherwise):
                self._follow(body if self._known(test) else otherwise)
            case ast.For(target, ast.Call(ast.Name("range"), [count]), body):
                for number in range(self._count(count)):
                    self._machine.step(self._function.where(statement))
                    self._assign(target, number)
                    self._follow(body)
            case ast.Pass():
                pass
            case _:
                kind = type(statement).__name__.lower()
                raise self._refused("the code has a statement that is not followed here", statement, kind)

    def _known(self, test: ast.expr) -> bool:
        found = self._value(test)
        if type(found) is not bool:
            what = "control flow that depends on what is computed"
            raise self._refused(what, test)
        return found

    def _count(self, node: ast.expr) -> int:
        found = self._value(node)
        if type(found) is not int:
            raise self._refused("a loop that depends on what is computed", node)
        return found

    def _assign(self, target: ast.expr, value: Any) -> None:
        if isinstance(target, ast.Name):
            self._names[target.id] = value
        elif isinstance(target, ast.Tuple) and isinstance(value, (tuple, list)):
            if len(target.elts) != len(value):
                raise self._refused("another number of values", target, len(value))
            for part, found in zip(target.elts, value, strict=True):
                self._assign(part, found)
        else:
            raise self._refused("the code changes an object", target)

    def _value(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(value) if value is None or type(value) in (bool, int, float, str):
                return value
            case ast.Name(name):
                return self._named(name, node)
            case ast.Attribute(inner, name):
                return self._attribute(self._value(inner), name, node)
            case ast.Tuple(parts):
                return tuple([self._value(part) for part in parts])
            case ast.Dict([], []):
                return ()  # layers ask how many hooks they have
            case ast.List(parts):
                return [self._value(part) for part in parts]
            case ast.UnaryOp(ast.USub(), operand):
                return self._machine.call_dotted(
                    "torch.neg", [self._value(operand)], {}, self._function.where(node)
                )
            case ast.Subscript(inner, key):
                values = [self._value(inner), self._value(key)]
                return self._machine.call_dotted("torch.__getitem__", values, {}, self._function.where(node))
            case ast.IfExp(test, first, second):
                return self._value(first if self._known(test) else second)
            case ast.Call():
                return self._call(node)
        raise self._refused("an expression that is not followed here", node, type(node).__name__.lower())

    def _named(self, name: str, node: ast.expr) -> Any:
        if name in self._names:
            return self._names[name]
        if name in _ROOTS or name in plain.FUNCTIONS:
            return Dotted(name)
        raise self._refused("a name that is not defined", node, name)

    def _attribute(self, value: Any, name: str, node: ast.expr) -> Any:
        if isinstance(value, Module):
            return self._machine.attribute(value, name)
        if isinstance(value, Dotted):
            if value.name == "CONSTANTS" and name[:1] == "c" and name[1:].isdecimal() and len(name) < 10:
                return self._machine.constant(int(name[1:]))
            return Dotted(f"{value.name}.{name}")
        raise self._refused("an attribute of what has none", node, name)

    def _call(self, node: ast.Call) -> Any:
        where = self._function.where(node)
        self._machine.step(where)
        match node:
            case ast.Call(ast.Name("annotate" | "unchecked_cast"), [_, value]):
                return self._value(value)
            case ast.Call(ast.Name("uninitialized")):
                return None
            case ast.Call(ast.Name("getattr"), [owner, ast.Constant(str() as name)]):
                return self._attribute(self._value(owner), name, node)
        values = [self._value(value) for value in node.args]
        named = {keyword.arg: self._value(keyword.value) for keyword in node.keywords if keyword.arg}
        if isinstance(node.func, ast.Attribute):
            owner = self._value(node.func.value)
            if isinstance(owner, Module):
                return self._machine.call_method(owner, node.func.attr, values, named)
        function = self._value(node.func)
        if not isinstance(function, Dotted):
            raise self._refused("a call of what is no function", node)
        return self._machine.call_dotted(function.name, values, named, where)


# Functions that take lists of values, and that tell whether there is one.
_OF_ANY: dict[str, Callable[..., Any]] = {
    "torch.__is__": lambda left, right: left is right,
    "torch.__isnot__": lambda left, right: left is not right,
    "torch.__getitem__": lambda items, key: items[key],
    "torch.append": lambda items, value: items.append(value),
    "torch.len": len,
    "torch.list": list,
    "torch.warn": lambda *values: None,
    "torch.format": lambda text, *values: text,
}
