"""Pooling in plain Python. Planes are handled one by one, whatever batch and channel they belong to."""

from burnrt.kernels.plain.windows import inside

if False:  # for type checkers
    from burnpack.types import Shape
    from burnrt.types import NumberBuffer, Numbers, Pair


def max_pool2d(
    x: "Numbers",
    x_shape: "Shape",
    out: "NumberBuffer",
    out_shape: "Shape",
    kernel: "Pair",
    stride: "Pair",
    padding: "Pair",
    dilation: "Pair",
) -> None:
    """Take the largest number of each window; padding counts as minus infinity, and NaN wins.

    x: (batch, channels, height, width). out: the same with its own height and width, another buffer.
    kernel, stride, padding, dilation: (vertical, horizontal).
    """
    height, width = x_shape[2:]
    to = 0
    for plane in range(x_shape[0] * x_shape[1]):
        start = plane * height * width
        for row in range(out_shape[2]):
            rows = inside(row * stride[0] - padding[0], kernel[0], dilation[0], height)
            for column in range(out_shape[3]):
                columns = inside(column * stride[1] - padding[1], kernel[1], dilation[1], width)
                out[to] = _largest(x, start, width, rows, columns)
                to += 1


def _largest(x: "Numbers", start: int, width: int, rows: range, columns: range) -> float:
    best = float("-inf")
    for row in rows:
        place = start + row * width
        for column in columns:
            value = x[place + column]
            if value > best or value != value:
                best = value
    return best


def avg_pool2d(
    x: "Numbers",
    x_shape: "Shape",
    out: "NumberBuffer",
    out_shape: "Shape",
    kernel: "Pair",
    stride: "Pair",
    padding: "Pair",
    count_include_pad: bool,
) -> None:
    """Take the mean of each window.

    Shapes are as for `max_pool2d`. count_include_pad: whether padding is counted, as zeros; what a window
    has beyond the padding never is.
    """
    height, width = x_shape[2:]
    to = 0
    for plane in range(x_shape[0] * x_shape[1]):
        start = plane * height * width
        for row in range(out_shape[2]):
            top = row * stride[0] - padding[0]
            rows = inside(top, kernel[0], 1, height)
            for column in range(out_shape[3]):
                left = column * stride[1] - padding[1]
                columns = inside(left, kernel[1], 1, width)
                size = len(rows) * len(columns)
                if count_include_pad:
                    size = min(kernel[0], height + padding[0] - top)
                    size *= min(kernel[1], width + padding[1] - left)
                out[to] = _sum(x, start, width, rows, columns) / size
                to += 1


def adaptive_avg_pool2d(x: "Numbers", x_shape: "Shape", out: "NumberBuffer", out_shape: "Shape") -> None:
    """Take the mean over an even division of each plane into the output's rows and columns.

    x: (batch, channels, height, width). out: the same with its own height and width, another buffer.
    """
    height, width = x_shape[2:]
    to = 0
    for plane in range(x_shape[0] * x_shape[1]):
        start = plane * height * width
        for row in range(out_shape[2]):
            rows = _share(row, out_shape[2], height)
            for column in range(out_shape[3]):
                columns = _share(column, out_shape[3], width)
                out[to] = _sum(x, start, width, rows, columns) / (len(rows) * len(columns))
                to += 1


def adaptive_max_pool2d(x: "Numbers", x_shape: "Shape", out: "NumberBuffer", out_shape: "Shape") -> None:
    """Take the largest number of each part that `adaptive_avg_pool2d` takes the mean of, and NaN wins."""
    height, width = x_shape[2:]
    to = 0
    for plane in range(x_shape[0] * x_shape[1]):
        for row in range(out_shape[2]):
            rows = _share(row, out_shape[2], height)
            for column in range(out_shape[3]):
                columns = _share(column, out_shape[3], width)
                out[to] = _largest(x, plane * height * width, width, rows, columns)
                to += 1


def _share(index: int, parts: int, extent: int) -> range:
    return range(index * extent // parts, ((index + 1) * extent + parts - 1) // parts)


def _sum(x: "Numbers", start: int, width: int, rows: range, columns: range) -> float:
    total = 0.0
    for row in rows:
        place = start + row * width
        for column in columns:
            total += x[place + column]
    return total
