"""Convolutions."""

from burnrt.checks.floats.counts import flat
from burnrt.checks.floats.pool import bounded
from burnrt.checks.windows import meet

if False:  # for type checkers
    from typing import Any


def conv2d(
    x: "Any",
    x_shape: "Any",
    weight: "Any",
    weight_shape: "Any",
    bias: "Any",
    out: "Any",
    out_shape: "Any",
    stride: "Any",
    padding: "Any",
    dilation: "Any",
    groups: int,
) -> "Any":
    for extent, windows, kernel, step, pad, apart in bounded(
        x_shape, out_shape, weight_shape[2:], stride, padding, dilation
    ):
        more = max(0, pad - apart * (kernel - 1))  # a window may have nothing but padding, as in PyTorch
        meet(extent + 2 * more, windows, kernel, step, pad - more, apart)
    outputs, channels, height, width = weight_shape
    batch, planes = x_shape[:2]
    is_layer = weight == flat(*weight_shape) and bias in (None, [outputs])
    fits = x == flat(*x_shape) and out == flat(*out_shape) and out_shape[:2] == (batch, outputs)
    divides = planes == channels * flat(groups)[0] and outputs % groups == 0
    return is_layer and fits and divides and (out[0] * channels * height * width, 32, 0)


def conv_transpose2d(
    x: "Any",
    x_shape: "Any",
    weight: "Any",
    weight_shape: "Any",
    bias: "Any",
    out: "Any",
    out_shape: "Any",
    stride: "Any",
    padding: "Any",
    dilation: "Any",
    groups: int,
) -> "Any":
    for extent, windows, kernel, step, pad, apart in bounded(
        out_shape, x_shape, weight_shape[2:], stride, padding, dilation
    ):
        more = extent + 2 * pad - apart * (kernel - 1) - 1 - (windows - 1) * step
        if not 0 <= more < max(step, apart):
            raise ValueError
    planes, outputs, height, width = weight_shape
    is_layer = weight == flat(*weight_shape) and bias in (None, [outputs * flat(groups)[0]])
    fits = x == flat(*x_shape) and out == flat(*out_shape) and out_shape[:2] == (x_shape[0], outputs * groups)
    divides = x_shape[1] == planes and planes % groups == 0
    return is_layer and fits and divides and (x[0] * outputs * height * width, 32, 0)
