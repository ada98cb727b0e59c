"""Pools."""

from burnrt.checks.floats.counts import EACH, flat
from burnrt.checks.windows import meet

if False:  # for type checkers
    from typing import Any

_MOST = 32767  # of an extent, a stride and the like: two of them multiplied still fit


def bounded(
    shape: "Any", out_shape: "Any", kernel: "Any", stride: "Any", padding: "Any", dilation: "Any"
) -> "list[tuple[int, ...]]":
    """Return (extent, windows, kernel, stride, padding, dilation) of both axes. Raises `ValueError`."""
    _, _, height, width = shape
    _, _, out_height, out_width = out_shape
    found = list(zip((height, width), (out_height, out_width), kernel, stride, padding, dilation))
    if [len(pair) for pair in (kernel, stride, padding, dilation)] != [2] * 4:
        raise ValueError
    for sizes in found:
        flat(*sizes)
        if min(sizes[:4] + sizes[5:]) < 1 or max(sizes) > _MOST:
            raise ValueError
    return found


def max_pool2d(
    x: "Any",
    x_shape: "Any",
    out: "Any",
    out_shape: "Any",
    kernel: "Any",
    stride: "Any",
    padding: "Any",
    dilation: "Any",
) -> "Any":
    for sizes in bounded(x_shape, out_shape, kernel, stride, padding, dilation):
        meet(*sizes)
    fits = x == flat(*x_shape) and out == flat(*out_shape) and x_shape[:2] == out_shape[:2]
    return fits and (out[0] * kernel[0] * kernel[1], 4, 0)


def avg_pool2d(
    x: "Any",
    x_shape: "Any",
    out: "Any",
    out_shape: "Any",
    kernel: "Any",
    stride: "Any",
    padding: "Any",
    count_include_pad: object,
) -> "Any":
    return max_pool2d(x, x_shape, out, out_shape, kernel, stride, padding, (1, 1))


def adaptive_avg_pool2d(x: "Any", x_shape: "Any", out: "Any", out_shape: "Any") -> "Any":
    fits = x == flat(*x_shape) and out == flat(*out_shape) and x_shape[:2] == out_shape[:2]
    # A part that is larger than its share has a number of each of its neighbours.
    return fits and len(x_shape) == len(out_shape) == 4 and (EACH * x[0] + EACH * out[0], 4, 0)


adaptive_max_pool2d = adaptive_avg_pool2d
