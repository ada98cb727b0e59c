"""Functions of one number, in plain Python.

x, out: (count); they may be one buffer. NaN stays NaN; what goes beyond the largest number is infinite, and
what has no answer is NaN, as in PyTorch.
"""

from math import copysign as _copysign
from math import cos as _cos
from math import exp as _exp
from math import log as _log
from math import sin as _sin
from math import sqrt as _sqrt
from math import tan as _tan

from burnrt.kernels.plain.special import erf as _erf

if False:  # for type checkers
    from burnrt.types import NumberBuffer, Numbers


_INFINITE = float("inf")
_NONE = float("nan")
_POWER_MOST = 88.7228  # e to a larger one is beyond the largest number of 32 bits


def absolute(x: "Numbers", out: "NumberBuffer", count: int) -> None:
    """out = x without its sign."""
    for place in range(count):
        value = x[place]
        out[place] = -value if value < 0.0 else value


def sqrt(x: "Numbers", out: "NumberBuffer", count: int) -> None:
    """out = √x."""
    for place in range(count):
        value = x[place]
        out[place] = _sqrt(value) if value >= 0.0 else _NONE


def rsqrt(x: "Numbers", out: "NumberBuffer", count: int) -> None:
    """out = 1 / √x."""
    for place in range(count):
        value = x[place]
        out[place] = 1.0 / _sqrt(value) if value > 0.0 else _NONE if value else _copysign(_INFINITE, value)


def exp(x: "Numbers", out: "NumberBuffer", count: int) -> None:
    """out = e to the power of x."""
    for place in range(count):
        value = x[place]
        out[place] = _exp(value) if not value > _POWER_MOST else _INFINITE


def expm1(x: "Numbers", out: "NumberBuffer", count: int) -> None:
    """out = e to the power of x, less 1."""
    for place in range(count):
        value = x[place]
        out[place] = _powers_rest(value)


def log(x: "Numbers", out: "NumberBuffer", count: int) -> None:
    """out = the natural logarithm of x."""
    for place in range(count):
        value = x[place]
        out[place] = _logarithm(value)


def log1p(x: "Numbers", out: "NumberBuffer", count: int) -> None:
    """out = log(1 + x)."""
    for place in range(count):
        value = x[place]
        out[place] = _logarithm_of_more(value)


def sin(x: "Numbers", out: "NumberBuffer", count: int) -> None:
    """out = the sine of x."""
    for place in range(count):
        value = x[place]
        out[place] = _sin(value) if value - value == 0.0 else _NONE


def cos(x: "Numbers", out: "NumberBuffer", count: int) -> None:
    """out = the cosine of x."""
    for place in range(count):
        value = x[place]
        out[place] = _cos(value) if value - value == 0.0 else _NONE


def tan(x: "Numbers", out: "NumberBuffer", count: int) -> None:
    """out = the tangent of x."""
    for place in range(count):
        value = x[place]
        out[place] = _tan(value) if value - value == 0.0 else _NONE


def erf(x: "Numbers", out: "NumberBuffer", count: int) -> None:
    """out = the error function of x."""
    for place in range(count):
        value = x[place]
        out[place] = _erf(value)


def _powers_rest(value: float) -> float:
    """Return e^value - 1. What is lost of a small value in e^value is taken back."""
    if not -1.0 < value < 1.0:
        return _exp(value) - 1.0 if not value > _POWER_MOST else _INFINITE
    power = _exp(value)
    if power == 1.0:
        return value
    return (power - 1.0) * value / _log(power)


def _logarithm(value: float) -> float:
    return _log(value) if value > 0.0 else -_INFINITE if value == 0.0 else _NONE


def _logarithm_of_more(value: float) -> float:
    """Return log(1 + value). What is lost of a small value in 1 + value is taken back."""
    total = 1.0 + value
    if total == 1.0:
        return value
    return _logarithm(total) * (value / (total - 1.0)) if total - total == 0.0 else _logarithm(total)
