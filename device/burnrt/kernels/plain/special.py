"""Functions that some firmware leaves out of its `math`."""

from math import exp

if False:  # for type checkers
    __all__ = ("erf", "fraction_tanh", "series_erf", "tanh")

try:
    from math import erf, tanh
except ImportError:

    def erf(value: float) -> float:  # type: ignore[misc] # the other takes more than floats
        return series_erf(value)

    def tanh(value: float) -> float:  # type: ignore[misc]
        return fraction_tanh(value)


_TWO_OVER_SQRT_PI = 1.1283791670955126
_BEYOND = 6.0  # 1 - erf(6) is 2e-17: less than half a unit of the widest float


def series_erf(value: float) -> float:
    """Return the error function of `value`.

    Abramowitz and Stegun 7.1.6: all terms have one sign, so that none cancel.
    """
    if not abs(value) <= _BEYOND:
        return value if value != value else 1.0 if value > 0.0 else -1.0
    square = value * value
    term = value
    total = value
    n = 1
    while total + term != total:
        term *= 2.0 * square / (2 * n + 1)
        total += term
        n += 1
    return _TWO_OVER_SQRT_PI * exp(-square) * total


def fraction_tanh(value: float) -> float:
    """Return the hyperbolic tangent: Lambert's continued fraction near zero, else by e's powers."""
    if abs(value) > 1.0:
        power = exp(-2.0 * abs(value))
        size = (1.0 - power) / (1.0 + power)
        return size if value > 0.0 else -size
    square = value * value
    rest = 0.0
    for odd in (17, 15, 13, 11, 9, 7, 5, 3):
        rest = square / (odd + rest)
    return value / (1.0 + rest)
