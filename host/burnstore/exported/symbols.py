"""Extents that an exported program leaves open, and the numbers that are taken for them.

An extent is an integer, or an expression of symbols as SymPy's `srepr` writes it, such as
"Mul(Integer(2), Symbol('s42', integer=True))", with its hint, the value when the program was made.
"""

import ast
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from math import prod

from burnpack.errors import NotFound, Unsupported
from burnstore.exported.items import Item

Number = int | float | bool
Range = tuple[int | None, int | None]
NO_RANGE: Range = (None, None)
BATCH = 1  # what is taken for an open extent that comes first
# The least extent that PyTorch states where it was not told any: it leaves out 0 and 1, as Python could treat
# them differently.
UNTRIED = 2
TEXT = 1 << 14  # letters of an expression
_MOST = 1 << 63  # of what an expression makes
_POWER = 64
_COMPUTED = ("u", "zu")  # what the names of numbers begin with that depend on values
_LETTERS = re.compile(r"[\w\s'(),.=+*/%-]*", re.ASCII)
_SYMBOL = re.compile(r"Symbol\('(?P<name>\w+)'[^()]*\)|(?P<called>[A-Za-z_]\w*)", re.ASCII)
_FAILURES = (ArithmeticError, MemoryError, RecursionError, SyntaxError, TypeError, ValueError)


class Symbols:
    """The open extents of a program.

    ranges: the least and the most of each, by name; None where there is no bound. given: what to take.
    values: what was taken, by name.
    """

    def __init__(self, ranges: Mapping[str, Range], given: Mapping[str, int]) -> None:
        self.values: dict[str, int] = {}
        self._ranges = ranges
        self._hints: dict[str, int] = {}
        self._known: dict[str, Number] = {}  # what expressions make
        for name, value in given.items():
            if name not in ranges:
                known = ", ".join(ranges) or "none"
                raise NotFound("no open extent of this name", name, expected=f"one of: {known}")
            self._take(name, value)

    def bind(self, name: str, sizes: list[Item], shape: Sequence[int]) -> None:
        """Take what a value's extents are for a shape that was given for it."""
        if len(sizes) != len(shape):
            what = "the program is not made for this number of dimensions"
            raise Unsupported(what, name, expected=len(sizes), found=len(shape))
        texts = [_expression(item) for item in sizes]
        for text, extent in sorted(zip(texts, shape, strict=True), key=lambda pair: _symbol(pair[0]) is None):
            self._solve(text, extent)
        found = tuple(self.extent(item) for item in sizes)
        if found != tuple(shape):
            raise Unsupported("the program is not made for this shape", name, expected=found, found=shape)

    def _solve(self, text: str, extent: int) -> None:
        """Take what the one symbol of an expression must be, if it grows evenly with it."""
        open_names = {name for name in _names(text) if name not in self.values}
        if len(open_names) != 1:
            return
        (name,) = open_names
        at_0, at_1 = (self._with(text, name, value) for value in (0, 1))
        if type(at_0) is type(at_1) is int and at_0 != at_1:
            self._take(name, (extent - at_0) // (at_1 - at_0))

    def _with(self, text: str, name: str, value: int) -> Number:
        self.values[name] = value
        try:
            return self._value(_parsed(text))
        except _FAILURES:
            return 0.0
        finally:
            del self.values[name]

    def notice(self, sizes: Iterable[Item], of_input: bool = False) -> None:
        """Look for hints in the extents of a value, or among numbers. of_input: the batch comes first."""
        for number, item in enumerate(sizes):
            name = _symbol(_expression(item))
            if name is None:
                continue
            hint = item.union()[1].get("hint")
            if of_input and number == 0:
                least = self._ranges.get(name, NO_RANGE)[0] or 0
                self._hints[name] = BATCH if least <= UNTRIED else least
            elif hint is not None:
                self._hints.setdefault(name, _hinted(hint))

    def extent(self, item: Item) -> int:
        """Return an extent."""
        found = self.number(item)
        if type(found) is not int:
            raise item.malformed("an extent is no integer", found=found)
        return found

    def number(self, item: Item) -> Number:
        """Return a number that may be written as an expression."""
        key, found = item.union()
        if key == "as_int":
            return found.integer()
        if key == "as_float":
            return found.number()
        if key == "as_bool":
            return found.flag()
        if key != "as_expr":
            raise Unsupported("a number of a kind that is not read here", item.place, found=key)
        return self._evaluated(found.field("expr_str"))

    def _evaluated(self, item: Item) -> Number:
        text = item.text()
        if text in self._known:
            return self._known[text]
        try:
            found = self._known[text] = self._value(_parsed(text))
            return found
        except NotFound as error:
            what = f"the extent {error.item} is open, and the file has no number for it"
            if str(error.item).startswith(_COMPUTED):
                what = f"the extent {error.item} depends on what is computed"
            raise Unsupported(what, item.place, found=text) from None
        except _FAILURES as error:
            what = f"an expression that is not understood here ({type(error).__name__})"
            raise Unsupported(what, item.place, found=text) from None

    def _value(self, node: ast.expr) -> Number:
        match node:
            case ast.Constant(bool() | int() | float() as value):
                return value
            case ast.Name("true"):
                return True
            case ast.Name("false"):
                return False
            case ast.Name(name) | ast.Call(ast.Name("Symbol"), [ast.Constant(str() as name)]):
                return self._symbol(name)
            case ast.Call(ast.Name(("Integer" | "Float") as name), [ast.Constant(int() | str() as text)]):
                return _bounded(int(text) if name == "Integer" else float(text))
            case ast.Call(ast.Name(name), arguments) if name in _FUNCTIONS:
                return _bounded(_FUNCTIONS[name](*map(self._value, arguments)))
            case ast.BinOp(left, operator, right) if type(operator) in _OPERATORS:
                function = _FUNCTIONS[_OPERATORS[type(operator)]]
                return _bounded(function(self._value(left), self._value(right)))
            case ast.UnaryOp(ast.USub(), operand):
                return -self._value(operand)
        raise ValueError

    def _symbol(self, name: str) -> int:
        if name not in self.values:
            if name not in self._hints:
                raise NotFound("no number for an open extent", name)
            self._take(name, self._hints[name])
        return self.values[name]

    def _take(self, name: str, value: int) -> None:
        least, most = self._ranges.get(name, NO_RANGE)
        least = 1 if least is None or least <= UNTRIED else least
        if value < least or (most is not None and value > most):
            expected = f"{least} and more" if most is None else f"{least} to {most}"
            raise Unsupported("the program is not made for this extent", name, expected=expected, found=value)
        self.values[name] = value


NOTHING_OPEN = Symbols({}, {})


def read_ranges(item: Item) -> dict[str, Range]:
    """Return the bounds of the open extents; those of expressions follow from the others."""
    found = {}
    for name, bounds in item.pairs():
        if name.isidentifier():
            least, most = (bounds.get(key) for key in ("min_val", "max_val"))
            found[name] = least.integer() if least else None, most.integer() if most else None
    return found


def _hinted(item: Item) -> int:
    """Return a hint, which older releases write as a plain number."""
    return item.union()[1].integer() if type(item.value) is dict else item.integer()


def _expression(item: Item) -> str:
    """Return the text of an expression; "" for a plain number."""
    key, found = item.union()
    return found.field("expr_str").text() if key == "as_expr" else ""


def _symbol(text: str) -> str | None:
    """Return the name of an expression that is a symbol alone."""
    found = _SYMBOL.fullmatch(text)
    return found["name"] or found["called"] if found else None


def _names(text: str) -> set[str]:
    """Return the names of the symbols in an expression, those of its functions aside."""
    return {found["name"] or found["called"] for found in _SYMBOL.finditer(text)} - _WORDS


def _parsed(text: str) -> ast.expr:
    if len(text) > TEXT or not _LETTERS.fullmatch(text):
        raise ValueError("too long, or of other letters")
    return ast.parse(text, mode="eval").body


def _bounded(value: Number) -> Number:
    if not -_MOST <= value < _MOST:
        raise OverflowError
    return value


def _power(base: Number, exponent: Number) -> Number:
    if abs(base) > 1 and not 0 <= exponent <= _POWER:
        raise OverflowError
    found: Number = base**exponent
    return found


_FUNCTIONS: dict[str, Callable[..., Number]] = {
    "Add": lambda *terms: sum(terms),
    "Mul": lambda *factors: prod(factors),
    "Pow": _power,
    "Rational": lambda above, below: above / below,
    "Mod": lambda left, right: left % right,
    "PythonMod": lambda left, right: left % right,
    "FloorDiv": lambda left, right: left // right,
    "CleanDiv": lambda left, right: left // right,
    "CeilDiv": lambda left, right: -(-left // right),
    "IntTrueDiv": lambda left, right: left / right,
    "FloatTrueDiv": lambda left, right: left / right,
    "FloatPow": _power,
    "PowByNatural": _power,
    "ToFloat": float,
    "TruncToInt": int,
    "RoundToInt": round,
    "FloorToInt": lambda value: int(value // 1),
    "CeilToInt": lambda value: -int(-value // 1),
    "Max": max,
    "Min": min,
    "Abs": abs,
    "Equality": lambda left, right: left == right,
    "Unequality": lambda left, right: left != right,
    "GreaterThan": lambda left, right: left >= right,
    "LessThan": lambda left, right: left <= right,
    "StrictGreaterThan": lambda left, right: left > right,
    "StrictLessThan": lambda left, right: left < right,
    "And": lambda *sides: all(sides),
    "Or": lambda *sides: any(sides),
    "Not": lambda value: not value,
}
_OPERATORS = {
    ast.Add: "Add",
    ast.Mult: "Mul",
    ast.Pow: "Pow",
    ast.Mod: "Mod",
    ast.FloorDiv: "FloorDiv",
    ast.Sub: "Sub",
}
_FUNCTIONS["Sub"] = lambda left, right: left - right
_WORDS = {*_FUNCTIONS, "Symbol", "Integer", "Float", "true", "false", "integer", "positive", "precision"}
_WORDS |= {"True", "False", "nonnegative", "real", "prec"}
