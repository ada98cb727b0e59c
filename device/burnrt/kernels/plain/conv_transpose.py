"""Transposed convolution in plain Python.

Each tap of the kernel adds the input, plane by plane, to every stride-th place of the output. Four input
channels are added at a time: four products share one load and store of the output.
"""

from burnrt.kernels.plain.memory import fill
from burnrt.kernels.plain.windows import whole

if False:  # for type checkers
    from burnpack.types import Shape
    from burnrt.types import Geometry, NumberBuffer, Numbers, Pair, Walk


def conv_transpose2d(
    x: "Numbers",
    x_shape: "Shape",
    weight: "Numbers",
    weight_shape: "Shape",
    bias: "Numbers | None",
    out: "NumberBuffer",
    out_shape: "Shape",
    stride: "Pair",
    padding: "Pair",
    dilation: "Pair",
    groups: int,
) -> None:
    """Spread each number of `x` over a window of `out`, weighted: the transpose of what `conv2d` does.

    x: (batch, channels, height, width). weight: (channels, outputs / groups, kernel height, kernel width).
    bias: (outputs) or None. out: (batch, outputs, height, width), not the buffer of x.
    stride, padding, dilation: (vertical, horizontal), of the convolution from out to x.
    """
    inputs, outputs = weight_shape[0] // groups, weight_shape[1]
    plane, out_plane = x_shape[2] * x_shape[3], out_shape[2] * out_shape[3]
    kernel_size = weight_shape[2] * weight_shape[3]
    geometry = (x_shape, weight_shape, out_shape, stride, padding, dilation)
    for number in range(x_shape[0] * out_shape[1]):
        image, output = divmod(number, out_shape[1])
        first = output // outputs * inputs
        start = (image * x_shape[1] + first) * plane
        at = (first * outputs + output % outputs) * kernel_size
        to = number * out_plane
        fill(out, to, out_plane, bias[output] if bias is not None else 0.0)
        for tap in range(kernel_size):
            walk = _walk(tap, start, to, geometry)
            _add_channels(x, plane, weight, at + tap, outputs * kernel_size, out, inputs, walk)


def _walk(tap: int, start: int, to: int, geometry: "Geometry") -> "Walk":
    """Return where a tap reads and writes: places, steps, rows and columns, without what falls outside."""
    x_shape, weight_shape, out_shape, stride, padding, dilation = geometry
    down, across = divmod(tap, weight_shape[3])
    down, across = down * dilation[0], across * dilation[1]
    top, bottom = whole(out_shape[2], x_shape[2], down, stride[0], padding[0])
    left, right = whole(out_shape[3], x_shape[3], across, stride[1], padding[1])
    width, out_width = x_shape[3], out_shape[3]
    p = to + (top * stride[0] - padding[0] + down) * out_width + left * stride[1] - padding[1] + across
    q = start + top * width + left
    return p, stride[0] * out_width, stride[1], q, width, bottom - top, right - left


def _add_channels(
    x: "Numbers",
    plane: int,
    weight: "Numbers",
    at: int,
    step: int,
    out: "NumberBuffer",
    inputs: int,
    walk: "Walk",
) -> None:
    fours = inputs - inputs % 4
    for n in range(0, fours, 4):
        w0, w1 = weight[at + n * step], weight[at + (n + 1) * step]
        w2, w3 = weight[at + (n + 2) * step], weight[at + (n + 3) * step]
        _add_4(out, x, walk, n * plane, plane, w0, w1, w2, w3)
    for n in range(fours, inputs):
        _add_1(out, x, walk, n * plane, weight[at + n * step])


def _add_4(
    out: "NumberBuffer",
    x: "Numbers",
    walk: "Walk",
    a: int,
    plane: int,
    w0: float,
    w1: float,
    w2: float,
    w3: float,
) -> None:
    p, out_step, stride, q, width, rows, columns = walk
    b, c, d = plane, 2 * plane, 3 * plane
    for start in range(q + a, q + a + rows * width, width):
        place = p
        for at in range(start, start + columns):
            out[place] += w0 * x[at] + w1 * x[at + b] + w2 * x[at + c] + w3 * x[at + d]
            place += stride
        p += out_step


def _add_1(out: "NumberBuffer", x: "Numbers", walk: "Walk", a: int, w0: float) -> None:
    p, out_step, stride, q, width, rows, columns = walk
    for start in range(q + a, q + a + rows * width, width):
        place = p
        for at in range(start, start + columns):
            out[place] += w0 * x[at]
            place += stride
        p += out_step
