"""Rows of numbers that lie apart in more than one dimension, in plain Python."""

from burnrt import kernels

if False:  # for type checkers
    from burnpack.types import Shape
    from burnrt.types import NumberBuffer, Numbers


def copy_strided(
    x: "Numbers",
    start: int,
    steps: "Shape",
    out: "NumberBuffer",
    to: int,
    out_steps: "Shape",
    extents: "Shape",
    size: int,
) -> None:
    """Copy rows of `size` numbers, as many as `extents` says for each dimension, the outermost first.

    The first begins at `start` in x and goes to `to` in out, another buffer. steps, out_steps: of each
    dimension, from where a row begins to where the next does.
    """
    _copy(x, start, steps, out, to, out_steps, extents, size, 0)


def _copy(
    x: "Numbers",
    start: int,
    steps: "Shape",
    out: "NumberBuffer",
    to: int,
    out_steps: "Shape",
    extents: "Shape",
    size: int,
    axis: int,
) -> None:
    if axis == len(extents) - 1:
        kernels.copy_rows(x, start, steps[axis], out, to, out_steps[axis], extents[axis], size)
        return
    for _ in range(extents[axis]):
        _copy(x, start, steps, out, to, out_steps, extents, size, axis + 1)
        start += steps[axis]
        to += out_steps[axis]
