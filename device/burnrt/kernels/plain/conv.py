"""Convolution in plain Python.

The taps of one row of the kernel, over all input channels, are added four at a time to the whole output
plane: a weight is read once, and four products share one load and store of the output. Windows that
hang over the left or right edge are left out of that and summed one by one.
"""

from array import array

from burnrt.kernels.plain.memory import fill
from burnrt.kernels.plain.windows import inside, whole

if False:  # for type checkers
    from burnpack.types import Shape
    from burnrt.types import Geometry, NumberBuffer, Numbers, Pair, Taps, Walk


def conv2d(
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
    """Convolve planes.

    x: (batch, channels, height, width). weight: (outputs, channels / groups, kernel height, kernel width).
    bias: (outputs) or None. out: (batch, outputs, height, width), not the buffer of x.
    stride, padding, dilation: (vertical, horizontal).
    """
    inputs, kernel_size = weight_shape[1], weight_shape[2] * weight_shape[3]
    plane, out_plane = x_shape[2] * x_shape[3], out_shape[2] * out_shape[3]
    taps = _taps(weight_shape, plane, dilation[1])
    geometry = (x_shape, weight_shape, out_shape, stride, padding, dilation)
    group_size = weight_shape[0] // groups
    for number in range(x_shape[0] * weight_shape[0]):
        image, output = divmod(number, weight_shape[0])
        start = (image * x_shape[1] + output // group_size * inputs) * plane
        at = output * inputs * kernel_size
        to = number * out_plane
        fill(out, to, out_plane, bias[output] if bias is not None else 0.0)
        _whole_windows(x, start, weight, at, out, to, taps, geometry)
        _cut_windows(x, start, weight, at, out, to, geometry)


def _taps(weight_shape: "Shape", plane: int, dilation: int) -> "Taps":
    """Return where the taps in one row of the kernel are, over all channels: in x, and in weight."""
    channels, height, width = weight_shape[1:]
    places, indices = array("I", range(channels * width)), array("I", range(channels * width))
    for number in range(channels * width):
        channel, column = divmod(number, width)
        places[number] = channel * plane + column * dilation
        indices[number] = channel * height * width + column
    return places, indices


def _columns(geometry: "Geometry") -> tuple[int, int]:
    """Return the first and last + 1 column of the output whose windows lie whole between left and right."""
    x_shape, weight_shape, out_shape, stride, padding, dilation = geometry
    first = whole(x_shape[3], out_shape[3], 0, stride[1], padding[1])[0]
    end = whole(x_shape[3], out_shape[3], (weight_shape[3] - 1) * dilation[1], stride[1], padding[1])[1]
    return first, max(first, end)


def _whole_windows(
    x: "Numbers",
    start: int,
    weight: "Numbers",
    at: int,
    out: "NumberBuffer",
    to: int,
    taps: "Taps",
    geometry: "Geometry",
) -> None:
    x_shape, weight_shape, out_shape, stride, padding, dilation = geometry
    width, out_width = x_shape[3], out_shape[3]
    left, right = _columns(geometry)
    for row in range(weight_shape[2]):
        offset = row * dilation[0]
        top, bottom = whole(x_shape[2], out_shape[2], offset, stride[0], padding[0])
        p = to + top * out_width + left
        q = start + (top * stride[0] - padding[0] + offset) * width + left * stride[1] - padding[1]
        walk = (p, out_width, q, stride[0] * width, stride[1], bottom - top, right - left)
        _add_taps(x, weight, at + row * weight_shape[3], out, taps, walk)


def _add_taps(
    x: "Numbers", weight: "Numbers", at: int, out: "NumberBuffer", taps: "Taps", walk: "Walk"
) -> None:
    places, indices = taps
    count = len(places)
    fours = count - count % 4
    for n in range(0, fours, 4):
        w0, w1 = weight[at + indices[n]], weight[at + indices[n + 1]]
        w2, w3 = weight[at + indices[n + 2]], weight[at + indices[n + 3]]
        _add_4(out, x, walk, w0, places[n], w1, places[n + 1], w2, places[n + 2], w3, places[n + 3])
    if count - fours == 3:  # all that there is in a depthwise 3 by 3
        w0, w1, w2 = [weight[at + index] for index in indices[fours:]]
        _add_3(out, x, walk, w0, places[fours], w1, places[fours + 1], w2, places[fours + 2])
        return
    for n in range(fours, count):
        _add_1(out, x, walk, weight[at + indices[n]], places[n])


def _add_4(
    out: "NumberBuffer",
    x: "Numbers",
    walk: "Walk",
    w0: float,
    a: int,
    w1: float,
    b: int,
    w2: float,
    c: int,
    w3: float,
    d: int,
) -> None:
    p, out_width, q, step, stride, rows, columns = walk
    for row in range(rows):
        at = q + row * step
        for place in range(p, p + columns):
            out[place] += w0 * x[at + a] + w1 * x[at + b] + w2 * x[at + c] + w3 * x[at + d]
            at += stride
        p += out_width


def _add_3(
    out: "NumberBuffer", x: "Numbers", walk: "Walk", w0: float, a: int, w1: float, b: int, w2: float, c: int
) -> None:
    p, out_width, q, step, stride, rows, columns = walk
    for row in range(rows):
        at = q + row * step
        for place in range(p, p + columns):
            out[place] += w0 * x[at + a] + w1 * x[at + b] + w2 * x[at + c]
            at += stride
        p += out_width


def _add_1(out: "NumberBuffer", x: "Numbers", walk: "Walk", w0: float, a: int) -> None:
    p, out_width, q, step, stride, rows, columns = walk
    for row in range(rows):
        at = q + row * step + a
        for place in range(p, p + columns):
            out[place] += w0 * x[at]
            at += stride
        p += out_width


def _cut_windows(
    x: "Numbers", start: int, weight: "Numbers", at: int, out: "NumberBuffer", to: int, geometry: "Geometry"
) -> None:
    out_shape = geometry[2]
    left, right = _columns(geometry)
    for column in range(out_shape[3]):
        if not left <= column < right:
            for row in range(out_shape[2]):
                out[to + row * out_shape[3] + column] += _window(x, start, weight, at, row, column, geometry)


def _window(
    x: "Numbers", start: int, weight: "Numbers", at: int, row: int, column: int, geometry: "Geometry"
) -> float:
    """Return the sum over the taps of one window that lie inside the input."""
    x_shape, weight_shape, _, stride, padding, dilation = geometry
    _, channels, kernel_height, kernel_width = weight_shape
    top, left = row * stride[0] - padding[0], column * stride[1] - padding[1]
    rows = inside(top, kernel_height, dilation[0], x_shape[2])
    columns = inside(left, kernel_width, dilation[1], x_shape[3])
    total = 0.0
    for channel in range(channels):
        for y in rows:
            place = start + (channel * x_shape[2] + y) * x_shape[3]
            tap = at + (channel * kernel_height + (y - top) // dilation[0]) * kernel_width
            for across in columns:
                total += x[place + across] * weight[tap + (across - left) // dilation[1]]
    return total
