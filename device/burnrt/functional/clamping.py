"""Numbers kept between bounds."""

from burnpack.errors import InvalidTensor
from burnrt import kernels
from burnrt.functional.comparing import maximum, minimum
from burnrt.functional.operands import is_number, through
from burnrt.nn.layer import Layer
from burnrt.nn.rectifier import Hardtanh, Relu

if False:  # for type checkers
    from typing import Any

    from burnrt.types import Calls
    from burnrt.value import Value


_INFINITE = float("inf")


class Clamp(Layer):
    """Compute x, or the bound that it is beyond; bounds may be infinite.

    Input of any shape [...]; the output has the same shape.
    """

    in_place = True

    def __init__(self, low: float, high: float) -> None:
        self.low = low
        self.high = high

    def bind(self, input: "Value", output: "Value") -> "Calls":
        return [(kernels.clamp, (input.data, self.low, self.high, output.data, len(output.data)))]


def clamp(input: "Any", min: "Any" = None, max: "Any" = None) -> "Value":
    """Return the input, kept between bounds: numbers, values, or None for none. The upper one comes first."""
    if min is None and max is None:
        raise InvalidTensor("takes min, max or both", "clamp")
    if (min is None or is_number(min)) and (max is None or is_number(max)):
        return _clamped(input, -_INFINITE if min is None else min, _INFINITE if max is None else max)
    found = input if min is None else maximum(input, min)
    return found if max is None else minimum(found, max)


def _clamped(input: "Any", low: float, high: float) -> "Value":
    if low != low or high != high:
        raise InvalidTensor("bounds are numbers", "clamp", found="%g and %g" % (low, high))
    if low == 0 and high == _INFINITE:
        return through(Relu(), input)
    if -_INFINITE < low < high < _INFINITE:
        return through(Hardtanh(low, high), input)
    return through(Clamp(low if low < high else high, high), input)


def clamp_min(input: "Any", min: "Any") -> "Value":
    """Return the input, and `min` where it is below."""
    return clamp(input, min)


def clamp_max(input: "Any", max: "Any") -> "Value":
    """Return the input, and `max` where it is above."""
    return clamp(input, None, max)


clip = clamp
