"""Smooth functions of one number that are made of e's powers, in plain Python.

x and out: (count); they may be one buffer. NaN stays NaN, and no power overflows.
"""

from math import exp, log

from burnrt.kernels.plain.special import tanh

if False:  # for type checkers
    from burnrt.types import NumberBuffer, Numbers


_ROOT_2_OVER_PI = 0.7978845608028654
_POWER_MOST = 709.0  # e to a larger one is beyond the widest float


def gelu_tanh(x: "Numbers", out: "NumberBuffer", count: int) -> None:
    """out = x / 2 · (1 + tanh(√(2 / π) · (x + 0.044715 · x³)))."""
    for place in range(count):
        value = x[place]
        inner = _ROOT_2_OVER_PI * (value + 0.044715 * value * value * value)
        out[place] = 0.5 * value * (1.0 + tanh(inner))


def elu(x: "Numbers", alpha: float, divisor: float, out: "NumberBuffer", count: int) -> None:
    """out = x, or alpha · (e^(x / divisor) - 1) where x is not positive."""
    for place in range(count):
        value = x[place]
        if value <= 0.0:
            power = value / divisor
            value = alpha * (exp(power) - 1.0 if power < _POWER_MOST else float("inf"))
        out[place] = value


def softplus(x: "Numbers", beta: float, threshold: float, out: "NumberBuffer", count: int) -> None:
    """out = log(1 + e^(beta · x)) / beta, or x where beta · x is above the threshold."""
    for place in range(count):
        value = x[place]
        scaled = beta * value
        if not scaled > threshold:
            value = ((scaled if scaled > 0.0 else 0.0) + _log_of_one_and(exp(-abs(scaled)))) / beta
        out[place] = value


def _log_of_one_and(share: float) -> float:
    """Return log(1 + share); the rounding of 1 + share is taken back, as a small share is lost in it."""
    total = 1.0 + share
    return share if total == 1.0 else log(total) * share / (total - 1.0)


def mish(x: "Numbers", out: "NumberBuffer", count: int) -> None:
    """out = x · tanh(log(1 + e^x)), which is x · w / (w + 2) with w = e^x · (e^x + 2)."""
    for place in range(count):
        value = x[place]
        power = exp(-abs(value))
        if value > 0.0:  # both multiplied by e^-2x
            out[place] = value * (1.0 + 2.0 * power) / (1.0 + 2.0 * power + 2.0 * power * power)
        else:
            out[place] = value * (power * (power + 2.0) / (power * (power + 2.0) + 2.0))


def softsign(x: "Numbers", out: "NumberBuffer", count: int) -> None:
    """out = x / (1 + |x|)."""
    for place in range(count):
        value = x[place]
        out[place] = value / (1.0 + abs(value))
