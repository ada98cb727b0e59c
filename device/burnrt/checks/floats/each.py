"""Kernels that take each number for itself."""

from burnrt.checks.floats.counts import EACH, flat, real

if False:  # for type checkers
    from typing import Any


def relu(x: "Any", out: "Any", count: int) -> "Any":
    return x == out == flat(count) and (EACH * count, 2, 1)


gelu = sigmoid = silu = tanh = hard_swish = gelu_tanh = mish = softsign = relu
absolute = sqrt = rsqrt = exp = expm1 = log = log1p = sin = cos = tan = erf = relu
floor = ceil = rint = trunc = relu


def add(a: "Any", b: "Any", out: "Any", count: int) -> "Any":
    return a == b == out == flat(count) and (EACH * count, 4, 3)


multiply = add


def lerp(start: "Any", end: "Any", share: "Any", out: "Any", count: int) -> "Any":
    return start == end == share == out == flat(count) and (EACH * count, 8, 7)


def hard_sigmoid(x: "Any", alpha: float, beta: float, out: "Any", count: int) -> "Any":
    return real(alpha, beta) and x == out == flat(count) and (EACH * count, 8, 1)


def clamp(x: "Any", low: float, high: float, out: "Any", count: int) -> "Any":
    return low <= high and hard_sigmoid(x, low, high, out, count)


def threshold(x: "Any", low: float, high: float, value: float, out: "Any", count: int) -> "Any":
    return real(low, high, value) and x == out == flat(count) and (EACH * count, 16, 1)


def elu(x: "Any", alpha: float, divisor: float, out: "Any", count: int) -> "Any":
    return divisor != 0 and hard_sigmoid(x, alpha, divisor, out, count)


def softplus(x: "Any", beta: float, threshold: float, out: "Any", count: int) -> "Any":
    return beta != 0 and hard_sigmoid(x, beta, threshold, out, count)


def fake_quantize(x: "Any", scale: float, low: int, high: int, out: "Any", count: int) -> "Any":
    is_range = real(scale) and 0.0 < scale and low | 0 <= high | 0
    return is_range and x == out == flat(count) and (EACH * count, 16, 1)


def quantize(x: "Any", scale: float, zero: int, out: "Any", count: int) -> "Any":
    return _is_of(scale, zero) and x == flat(count) and out == "%d bytes" % count and (EACH * count, 8, 0)


def dequantize(x: "Any", scale: float, zero: int, out: "Any", count: int) -> "Any":
    return _is_of(scale, zero) and x == "%d bytes" % count and out == flat(count) and (EACH * count, 8, 0)


def _is_of(scale: float, zero: int) -> bool:
    """Return whether bytes can have a scale, which is a normal binary32 number, and a zero point."""
    return real(scale) and 2.0**-126 <= scale < 2.0**127 and 0 <= zero | 0 <= 255


def prelu(x: "Any", alpha: "Any", out: "Any", batch: int, channels: int, inner: int) -> "Any":
    count = flat(batch, channels, inner)
    return x == out == count and alpha == flat(channels) and (EACH * count[0], 4, 1)


def affine(x: "Any", gamma: "Any", beta: "Any", out: "Any", batch: int, channels: int, inner: int) -> "Any":
    count = flat(batch, channels, inner)
    return x == out == count and gamma == beta == flat(channels) and (EACH * count[0], 8, 1)
