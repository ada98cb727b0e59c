"""The lines of a `forward`, as source."""

import inspect
from collections.abc import Mapping, Sequence
from functools import cache

from burnpack.errors import Unsupported
from burnrt import functional
from burnstore.classes.bodies import Body, Call, joined_inputs
from burnstore.classes.code import Brackets, Code, Constant, Row, Text, flat
from burnstore.classes.description import Attribute, Given, LayerOf, Line, Name
from burnstore.classes.identifiers import checked
from burnstore.classes.naming import input_names, is_recurrent, names_of
from burnstore.classes.simpler import in_short
from burnstore.classes.tree import Node, reached

Statement = tuple[str, Code]  # what stands in front, as "x = ", and the expression

_ANY = "inputs"  # of a `forward` with any number of them

# Functions that Python has an operator for; of the second row not with a number or parameter in front.
_OPERATORS = {"add": "+", "sub": "-", "mul": "*", "div": "/", "pow": "**"}
_FROM_A_VALUE = {
    "matmul": "@",
    "remainder": "%",
    "floor_divide": "//",
    "lt": "<",
    "le": "<=",
    "gt": ">",
    "ge": ">=",
}


class Forward:
    """The `forward` of a module's class: the names of its inputs, its statements, and the functions it calls.

    node: the module. asked: what its inputs are called in the original, or None. is_any: whether it takes any
    number of inputs, where it joins them first.
    """

    def __init__(
        self,
        node: Node,
        body: Body,
        layers: Mapping[str, LayerOf],
        asked: list[str] | None = None,
        is_any: bool = False,
    ) -> None:
        self._node, self._layers = node, layers
        self.calls_functions = False
        self._joined = joined_inputs(body) if is_any else ()
        self.inputs = [f"*{_ANY}"] if self._joined else input_names(body, asked)
        self._names = names_of(body, [_ANY] * len(self._joined) or self.inputs, layers)
        self.statements = [self._statement(step) for step in body.steps]
        self._answer([self._names[key] for key in body.outputs])

    def _answer(self, names: Sequence[str]) -> None:
        """Add the return: of the last line itself, where it makes what is answered."""
        if len(names) == 1 and self.statements and self.statements[-1][0] == f"{names[0]} = ":
            self.statements[-1] = ("return ", self.statements[-1][1])
        else:
            self.statements.append(("return ", Text(", ".join(names) if names else "()")))

    def _statement(self, step: Line | Call) -> Statement:
        names = [self._names.get(str(key), "_") for key in step.makes]
        if isinstance(step, Call):
            parts = tuple([("", self._code(Name(key))) for key in step.reads])
            return self._target(names), Brackets(reached(self._node, step.path), parts)
        if step.is_layer:
            return self._of_layer(step, names), self._call(
                reached(self._node, tuple(step.call.split("."))), step
            )
        return self._target(names), self._function(step)

    def _target(self, names: Sequence[str]) -> str:
        return f"{', '.join(names)} = "

    def _of_layer(self, step: Line, names: list[str]) -> str:
        """Return what stands in front of a layer's call; LSTM answers (y, (h, c))."""
        kind = self._layers[step.call].kind
        if len(names) == 3 and is_recurrent(kind):
            states = "_" if names[1] == names[2] == "_" else f"({names[1]}, {names[2]})"
            return f"{names[0]}, {states} = "
        return self._target(names)

    def _call(self, head: str, step: Line) -> Code:
        roles = _roles(step.call) if not step.is_layer else ()
        owner = step.call.rpartition(".")[2]
        parts = []
        for place, given in enumerate(step.arguments):
            role = roles[place] if place < len(roles) else owner
            parts.append(("", self._code(given, role, owner, place == 0)))
        for name, given in step.keywords.items():
            parts.append((checked(name, "an argument"), self._code(given, name, owner)))
        return Brackets(head, tuple(parts))

    def _function(self, step: Line) -> Code:
        arguments = step.arguments
        if step.call in ("reshape", "getitem"):
            return self._of_value(step)
        if not step.keywords and len(arguments) == 2 and (found := self._operator(step.call, arguments)):
            return found
        if step.call == "neg" and len(arguments) == 1 and isinstance(arguments[0], Name):
            return Row((Text("-"), self._code(arguments[0])))
        self.calls_functions = True
        return self._call(f"F.{checked(step.call, 'a function')}", step)

    def _of_value(self, step: Line) -> Code:
        value, given = step.arguments
        if not isinstance(value, Name):
            raise Unsupported("is there for values only", step.call, found=repr(value))
        parts = given if isinstance(given, tuple) else (given,)
        codes = tuple(
            [("", self._code(part, "size" if step.call == "reshape" else "index")) for part in parts]
        )
        name = flat(self._code(value))
        if not parts:
            codes = (("", Text("()")),)
        return Brackets(f"{name}.reshape", codes) if step.call == "reshape" else Brackets(name, codes, "[]")

    def _operator(self, call: str, arguments: Sequence[Given]) -> Code | None:
        """Return an operation by Python's sign for it, where one of the two is a value that has it."""
        first = arguments[0]
        sign = _OPERATORS.get(call) or (_FROM_A_VALUE.get(call) if isinstance(first, Name) else None)
        kinds = (Name, Attribute, int, float)
        if not sign or not any(isinstance(each, Name) for each in arguments):
            return None
        if not all(isinstance(each, kinds) and each == each for each in arguments):
            return None
        codes = [self._code(each, "factor" if sign == "*" else "value", call) for each in arguments]
        if sign == "**":
            is_bare = not isinstance(first, int | float) or first >= 0
            return Row((codes[0], Text(sign), codes[1])) if is_bare else None
        return Row((codes[0], Text(f" {sign} "), codes[1]))

    def _code(self, given: Given, role: str = "", owner: str = "", is_list: bool = False) -> Code:
        if isinstance(given, Name):
            return Text(self._names[given.text])
        if self._joined and given == self._joined:
            return Text(_ANY)
        if isinstance(given, Attribute):
            return Text(reached(self._node, tuple(given.path.split("."))))
        if isinstance(given, tuple) and any(isinstance(each, Name | Attribute | tuple) for each in given):
            parts = tuple([("", self._code(each, role, owner)) for each in given])
            return Brackets("", parts, "[]" if is_list else "()")
        return Constant(in_short(given, role), role, owner)


@cache
def _roles(function: str) -> tuple[str, ...]:
    """Return what a function calls its arguments."""
    home = functional.home(function)
    if home is None:
        return ()
    try:
        return tuple(inspect.signature(getattr(functional, function)).parameters)
    except (TypeError, ValueError):
        return ()
