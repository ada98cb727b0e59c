"""Planes of other sizes, in plain Python."""

if False:  # for type checkers
    from collections.abc import Sequence

    from burnpack.types import Shape
    from burnrt.types import NumberBuffer, Numbers


def resample2d(
    x: "Numbers",
    x_shape: "Shape",
    out: "NumberBuffer",
    out_shape: "Shape",
    rows: "Sequence[tuple[int, int, float]]",
    columns: "Sequence[tuple[int, int, float]]",
) -> None:
    """Take each number of `out` between four numbers of `x`, along straight lines.

    x: (batch, channels, height, width). out: the same with its own height and width, another buffer.
    rows, columns: for each row or column of out a first and a second one of x, and how far from the first
        to the second it lies, from 0 to 1. With 0 the second is not read.
    """
    height, width = x_shape[2:]
    to = 0
    for start in range(0, x_shape[0] * x_shape[1] * height * width, height * width):
        for first, second, down in rows:
            top, bottom = start + first * width, start + second * width
            for left, right, across in columns:
                value = x[top + left]
                if across:
                    value += across * (x[top + right] - value)
                if down:
                    below = x[bottom + left]
                    if across:
                        below += across * (x[bottom + right] - below)
                    value += down * (below - value)
                out[to] = value
                to += 1
