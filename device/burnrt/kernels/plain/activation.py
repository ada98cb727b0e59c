"""Functions of one number that are made of e's powers, in plain Python.

x and out: (count); they may be one buffer. NaN stays NaN.
"""

from math import exp

from burnrt.kernels.plain.special import erf
from burnrt.kernels.plain.special import tanh as tanh_of

if False:  # for type checkers
    from burnrt.types import NumberBuffer, Numbers


_SQRT_HALF = 0.7071067811865476


def gelu(x: "Numbers", out: "NumberBuffer", count: int) -> None:
    """out = x · Φ(x), with the exact distribution function Φ of the normal distribution."""
    for place in range(count):
        value = x[place]
        out[place] = 0.5 * value * (1.0 + erf(value * _SQRT_HALF))


def sigmoid(x: "Numbers", out: "NumberBuffer", count: int) -> None:
    """out = 1 / (1 + e^-x), computed so that e's exponent is never positive and can't overflow."""
    for place in range(count):
        value = x[place]
        power = exp(-value if value > 0.0 else value)
        out[place] = (1.0 if value > 0.0 else power) / (1.0 + power)


def silu(x: "Numbers", out: "NumberBuffer", count: int) -> None:
    """out = x / (1 + e^-x), computed as `sigmoid` is."""
    for place in range(count):
        value = x[place]
        power = exp(-value if value > 0.0 else value)
        out[place] = value * (1.0 if value > 0.0 else power) / (1.0 + power)


def tanh(x: "Numbers", out: "NumberBuffer", count: int) -> None:
    """out = tanh x."""
    for place in range(count):
        out[place] = tanh_of(x[place])
