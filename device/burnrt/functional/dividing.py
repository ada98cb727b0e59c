"""Quotients."""

from burnpack.errors import InvalidTensor
from burnrt.functional.arithmetic import affine
from burnrt.functional.broadcasting import Broadcast
from burnrt.functional.operands import is_number, through

if False:  # for type checkers
    from typing import Any

    from burnrt.value import Value


_DIVISOR_MOST = 1e30  # in size, of numbers that are divided by as by their reciprocals; and of those


class Divide(Broadcast):
    """Divide the first of two values by the second; they are broadcast. By 0 it is infinite, or no number."""

    kernel = "divide"


def div(input: "Any", other: "Any", rounding_mode: "str | None" = None) -> "Value":
    """Return input / other. rounding_mode: None, or "floor" or "trunc" to a whole number."""
    if rounding_mode is not None:
        from burnrt.functional.rounding import floor_divide, trunc

        if rounding_mode == "floor":
            return floor_divide(input, other)
        if rounding_mode != "trunc":
            what = "rounding_mode: is None, 'floor' or 'trunc'"
            raise InvalidTensor(what, "div", found=repr(rounding_mode))
        return trunc(div(input, other))
    if is_number(other) and 1 / _DIVISOR_MOST < abs(other) < _DIVISOR_MOST:
        return affine(input, 1.0 / other, 0.0)
    return through(Divide(), input, other)


def reciprocal(input: "Any") -> "Value":
    """Return 1 / input."""
    return div(1.0, input)


def rtruediv(input: "Any", other: "Any") -> "Value":
    """Return other / input."""
    return div(other, input)


divide = true_divide = div
