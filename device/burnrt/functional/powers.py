"""Powers."""

from burnrt.functional.arithmetic import square
from burnrt.functional.broadcasting import Broadcast
from burnrt.functional.dividing import reciprocal
from burnrt.functional.each import rsqrt, sqrt
from burnrt.functional.operands import operands, through

if False:  # for type checkers
    from typing import Any

    from burnrt.value import Value


class Power(Broadcast):
    """Raise the first of two values to the power of the second; they are broadcast."""

    kernel = "power"


# Exponents that there is something faster for.
_FASTER = ((2, square), (1, lambda input: operands(input)[0]), (0.5, sqrt), (-1, reciprocal), (-0.5, rsqrt))


def pow(input: "Any", exponent: "Any") -> "Value":
    """Return input to the power of `exponent`; of a negative number and a broken exponent it is no number."""
    if isinstance(exponent, (int, float)):
        for known, function in _FASTER:
            if exponent == known:
                return function(input)
    return through(Power(), input, exponent)


def float_power(input: "Any", exponent: "Any") -> "Value":
    """Return input to the power of `exponent`."""
    return pow(input, exponent)


def rpow(input: "Any", other: "Any") -> "Value":
    """Return other to the power of input."""
    return pow(other, input)
