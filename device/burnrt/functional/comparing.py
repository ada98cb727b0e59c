"""Comparisons, whose answers are 1.0 for what holds and 0.0 for what doesn't, and choices."""

from burnrt import kernels
from burnrt.functional.broadcasting import Broadcast
from burnrt.functional.operands import through

if False:  # for type checkers
    from typing import Any

    from burnpack.types import Shape
    from burnrt.types import Calls
    from burnrt.value import Value


class Compare(Broadcast):
    """Compare two values, which are broadcast.

    less, equal, greater: the answers for a first number that is so; unordered: for no number.
    """

    answers: "tuple[float, ...]"

    def __init__(self, less: float, equal: float, greater: float, unordered: float = 0.0) -> None:
        self.answers = (less, equal, greater, unordered)

    def calls(
        self, inputs: "tuple[Value, ...]", output: "Value", extents: "Shape", steps: "list[Shape]"
    ) -> "Calls":
        a, b = inputs
        told = (a.data, steps[0], b.data, steps[1], output.data, extents, self.answers)
        return [(kernels.compare, told)]


class Where(Broadcast):
    """Take numbers of the second of three values where the first is not 0, and else of the third."""

    kernel = "where"


class Minimum(Broadcast):
    """Take the smaller numbers of two values, which are broadcast; where one is no number, that."""

    kernel = "minimum"


class Maximum(Broadcast):
    """Take the larger numbers of two values, which are broadcast; where one is no number, that."""

    kernel = "maximum"


def lt(input: "Any", other: "Any") -> "Value":
    """Return where input < other."""
    return through(Compare(1.0, 0.0, 0.0), input, other)


def le(input: "Any", other: "Any") -> "Value":
    """Return where input <= other."""
    return through(Compare(1.0, 1.0, 0.0), input, other)


def eq(input: "Any", other: "Any") -> "Value":
    """Return where input == other."""
    return through(Compare(0.0, 1.0, 0.0), input, other)


def ne(input: "Any", other: "Any") -> "Value":
    """Return where input != other."""
    return through(Compare(1.0, 0.0, 1.0, 1.0), input, other)


def ge(input: "Any", other: "Any") -> "Value":
    """Return where input >= other."""
    return through(Compare(0.0, 1.0, 1.0), input, other)


def gt(input: "Any", other: "Any") -> "Value":
    """Return where input > other."""
    return through(Compare(0.0, 0.0, 1.0), input, other)


def isnan(input: "Any") -> "Value":
    """Return where there are no numbers."""
    return through(Compare(0.0, 0.0, 0.0, 1.0), input, 0.0)


def sign(input: "Any") -> "Value":
    """Return -1, 0 or 1, as the numbers are below, at or above 0."""
    return through(Compare(-1.0, 0.0, 1.0), input, 0.0)


def logical_not(input: "Any") -> "Value":
    """Return where the input is 0."""
    return eq(input, 0.0)


def logical_and(input: "Any", other: "Any") -> "Value":
    """Return where neither is 0."""
    return minimum(ne(input, 0.0), ne(other, 0.0))


def logical_or(input: "Any", other: "Any") -> "Value":
    """Return where one or both are not 0."""
    return maximum(ne(input, 0.0), ne(other, 0.0))


def logical_xor(input: "Any", other: "Any") -> "Value":
    """Return where just one is not 0."""
    return ne(ne(input, 0.0), ne(other, 0.0))


def where(condition: "Any", input: "Any", other: "Any") -> "Value":
    """Return numbers of input where the condition is not 0, and of other elsewhere."""
    return through(Where(), condition, input, other)


def masked_fill(input: "Any", mask: "Any", value: "Any") -> "Value":
    """Return the input with `value` where the mask is not 0."""
    return where(mask, value, input)


def minimum(input: "Any", other: "Any") -> "Value":
    """Return the smaller of each two numbers."""
    return through(Minimum(), input, other)


def maximum(input: "Any", other: "Any") -> "Value":
    """Return the larger of each two numbers."""
    return through(Maximum(), input, other)


greater, greater_equal, less, less_equal, not_equal = gt, ge, lt, le, ne
bitwise_and, bitwise_or, bitwise_xor, bitwise_not = logical_and, logical_or, logical_xor, logical_not
