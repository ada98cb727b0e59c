"""Names in a statement, replaced by the symbols that they mean: "module:name", which no name can be like."""

import ast
import copy
from dataclasses import dataclass, field
from typing import Any, Protocol

from burnpack.errors import Unsupported
from burnstore.boards.runtime.merging import scopes
from burnstore.boards.runtime.merging.modules import Module, Symbol, imports
from burnstore.boards.runtime.merging.simple import Function, is_assembler, is_native

SEPARATOR = ":"


@dataclass(frozen=True)
class Whole:
    """What a name means that stands for a module: its members are meant in turn."""

    module: str


Meaning = Symbol | Whole | ast.expr  # an expression: a constant


class Program(Protocol):
    """What names mean beyond one module."""

    def meaning(self, module: str, name: str) -> Meaning | None:
        """Return what a module calls `name`; None where it has no such name."""

    def has(self, module: str) -> bool:
        """Return whether a module is merged."""

    def imported(self, module: str, name: str) -> Meaning:
        """Return what an import of `name` from a module brings; of the module, where `name` is empty."""


@dataclass
class Qualified:
    """A statement whose names say what they mean.

    met: {symbol: the names of functions around, which it must not be called like}.
    free: names that nobody binds: the interpreter's own.
    """

    statement: ast.stmt
    met: dict[Symbol, set[str]] = field(default_factory=dict)
    free: set[str] = field(default_factory=set)


def qualified(module: Module, statement: ast.stmt, program: Program) -> Qualified:
    """Return a statement of a module with its names replaced: it itself, changed."""
    visitor = _Qualifier(module, program)
    visitor.found.statement = visitor.visit(statement)
    return visitor.found


def spelled(symbol: Symbol) -> str:
    """Return a symbol as a name has it."""
    return symbol.module + SEPARATOR + symbol.name


def value_of(expression: ast.expr) -> ast.expr:
    """Return what an expression of constants comes to, written out."""
    code = compile(ast.Expression(ast.fix_missing_locations(expression)), "const", "eval")
    return ast.parse(repr(eval(code, {"__builtins__": {}})), mode="eval").body


@dataclass
class _Scope:
    """A function's names, or a class's: those that an import gives a meaning, and those that it does not."""

    names: dict[str, Meaning | None]
    is_class: bool = False


class _Qualifier(ast.NodeTransformer):
    def __init__(self, module: Module, program: Program) -> None:
        self.found = Qualified(ast.Pass())
        self._module = module
        self._program = program
        self._scopes: list[_Scope] = []

    def visit_Name(self, node: ast.Name) -> ast.AST:
        return self._put(node)

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        return self.generic_visit(node) if self._meaning(node) is None else self._put(node)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.name = self._bound(node.name)
        native = is_native(node)
        node.decorator_list = node.decorator_list if native else self._all(node.decorator_list)
        self._visit_defaults(node.args)
        if is_assembler(node):
            node.body = [_Constants(self).visit(each) for each in node.body]
        else:
            node.body = self._in_scope(self._scope_of(node), node.body)
        return node

    def visit_Lambda(self, node: ast.Lambda) -> ast.AST:
        self._visit_defaults(node.args)
        node.body = self._in_scope(_Scope(dict.fromkeys(scopes.of_function(node))), [node.body])[0]
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.AST:
        node.name = self._bound(node.name)
        node.decorator_list, node.bases = self._all(node.decorator_list), self._all(node.bases)
        names = dict.fromkeys(scopes.of_statements(node.body))
        node.body = self._in_scope(_Scope(names, is_class=True), node.body)
        return node

    def visit_ListComp(self, node: ast.ListComp) -> ast.AST:
        return self._comprehension(node)

    def visit_SetComp(self, node: ast.SetComp) -> ast.AST:
        return self._comprehension(node)

    def visit_DictComp(self, node: ast.DictComp) -> ast.AST:
        return self._comprehension(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> ast.AST:
        return self._comprehension(node)

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        test = self.visit(node.test)
        if isinstance(test, ast.Constant):
            return self.visit(node.body if test.value else node.orelse)  # type: ignore[no-any-return]
        return ast.IfExp(test, self.visit(node.body), self.visit(node.orelse))

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        """Leave away what a constant decides: what stands behind it, or the constant itself."""
        decisive = isinstance(node.op, ast.Or)
        values: list[ast.expr] = []
        for value in map(self.visit, node.values):
            if values and isinstance(values[-1], ast.Constant):
                if bool(values[-1].value) == decisive:
                    break
                values.pop()
            values.append(value)
        return ast.BoolOp(node.op, values) if len(values) > 1 else values[0]

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        node.operand = self.visit(node.operand)
        if isinstance(node.op, ast.Not) and isinstance(node.operand, ast.Constant):
            return ast.Constant(not node.operand.value)
        return node

    def visit_If(self, node: ast.If) -> ast.AST | list[ast.stmt]:
        node.test = self.visit(node.test)
        if isinstance(node.test, ast.Constant):
            return self._all(node.body if node.test.value else node.orelse) or [ast.Pass()]
        node.body, node.orelse = self._all(node.body), self._all(node.orelse)
        return node

    def visit_Global(self, node: ast.Global) -> ast.AST:
        node.names = [self._named(Symbol(self._module.name, name)) for name in node.names]
        return node

    def visit_ExceptHandler(self, node: ast.ExceptHandler) -> ast.AST:
        node.name = node.name and self._bound(node.name)
        return self.generic_visit(node)

    def visit_Import(self, node: ast.Import) -> ast.AST | None:
        return self._import(node)

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.AST | None:
        return self._import(node)

    def _import(self, node: ast.Import | ast.ImportFrom) -> ast.AST | None:
        """Return an import of what is not merged; what is merged is there already."""
        for alias, (module, _) in zip(node.names, imports(node).values(), strict=True):
            if self._program.has(module):
                return None
            name = scopes.bound_name(alias)
            bound = self._bound(name)
            alias.asname = bound if bound != name else alias.asname
        return node

    def _comprehension(self, node: Any) -> ast.AST:
        first = node.generators[0]
        first.iter = self.visit(first.iter)
        self._scopes.append(_Scope(dict.fromkeys(scopes.of_comprehension(node))))
        for generator in node.generators:
            generator.iter = generator.iter if generator is first else self.visit(generator.iter)
            generator.ifs = self._all(generator.ifs)
        for field_name in ("elt", "key", "value"):
            if hasattr(node, field_name):
                setattr(node, field_name, self.visit(getattr(node, field_name)))
        self._scopes.pop()
        return node  # type: ignore[no-any-return]

    def _visit_defaults(self, arguments: ast.arguments) -> None:
        arguments.defaults = self._all(arguments.defaults)
        arguments.kw_defaults = [value and self.visit(value) for value in arguments.kw_defaults]

    def _all(self, nodes: "list[Any]") -> "list[Any]":
        found: list[Any] = []
        for node in nodes:
            visited = self.visit(node)
            found += visited if isinstance(visited, list) else [visited] * (visited is not None)
        return found

    def _in_scope(self, scope: _Scope, body: "list[Any]") -> "list[Any]":
        self._scopes.append(scope)
        found = self._all(body) or [ast.Pass()]
        self._scopes.pop()
        return found

    def _scope_of(self, node: Function) -> _Scope:
        names: dict[str, Meaning | None] = dict.fromkeys(scopes.of_function(node))
        for each in scopes.inside(node.body):
            if isinstance(each, ast.Import | ast.ImportFrom):
                for name, (module, member) in imports(each).items():
                    if self._program.has(module):
                        names[name] = self._program.imported(module, member)
        return _Scope(names)

    def _bound(self, name: str) -> str:
        """Return what a name that is bound here is replaced by: one of a function or a class stays."""
        return name if self._scopes else self._named(Symbol(self._module.name, name))

    def _meaning(self, node: ast.expr) -> Meaning | None:
        """Return what a name, or a member of a module, means; None for what means itself."""
        if isinstance(node, ast.Attribute):
            base = self._meaning(node.value)
            return self._program.imported(base.module, node.attr) if isinstance(base, Whole) else None
        if not isinstance(node, ast.Name):
            return None
        for scope in self._visible():
            if node.id in scope.names:
                return scope.names[node.id]
        meaning = self._program.meaning(self._module.name, node.id)
        if meaning is None:
            self.found.free.add(node.id)
        return meaning

    def _put(self, node: ast.Name | ast.Attribute) -> ast.expr:
        meaning = self._meaning(node)
        if meaning is None:
            return node
        if isinstance(meaning, Whole):
            raise Unsupported("a module is used as a value, and is none once it is merged", meaning.module)
        if isinstance(meaning, Symbol):
            return ast.copy_location(ast.Name(self._named(meaning), node.ctx), node)
        return ast.copy_location(copy.deepcopy(meaning), node)

    def constant(self, node: ast.Name) -> ast.expr:
        """Return the constant that a name of the module stands for; any other name as it is."""
        meaning = self._program.meaning(self._module.name, node.id)
        return copy.deepcopy(meaning) if isinstance(meaning, ast.expr) else node

    def _named(self, symbol: Symbol) -> str:
        around = self.found.met.setdefault(symbol, set())
        for scope in self._visible():
            around.update(scope.names)
        return spelled(symbol)

    def _visible(self) -> list[_Scope]:
        """Return the scopes around, the innermost first; a class's is seen from the class itself alone."""
        inner = self._scopes[-1:]
        return [*inner, *(scope for scope in reversed(self._scopes[:-1]) if not scope.is_class)]


class _Constants(ast.NodeTransformer):
    """Replaces the constants in assembler, whose other names are registers and labels."""

    def __init__(self, qualifier: _Qualifier) -> None:
        self._qualifier = qualifier

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return self._qualifier.constant(node)
