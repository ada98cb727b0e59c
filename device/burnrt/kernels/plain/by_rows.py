"""Going through two buffers and an output by rows, as kernels do whose inputs are broadcast.

These kernels take: a, b: buffers. a_steps, b_steps: of each dimension, from a number to the next one that is
computed with, 0 where it is the same again. out: (*extents), which may be a or b where that has as many
numbers. extents: the dimensions, the outermost first.
"""

if False:  # for type checkers
    from collections.abc import Callable

    from burnpack.types import Shape
    from burnrt.types import NumberBuffer, Numbers


def by_rows(
    row: "Callable[..., None]",
    a: "Numbers",
    a_at: int,
    a_steps: "Shape",
    b: "Numbers",
    b_at: int,
    b_steps: "Shape",
    out: "NumberBuffer",
    to: int,
    extents: "Shape",
    axis: int,
) -> int:
    """Call `row(a, i, a_step, b, j, b_step, out, place, end)` for each row.


    i, j: where in a and b a row begins. a_step, b_step: from one of its numbers to the next. place, end: of
    the row in out. Returns where in out the next begins.
    """
    a_step, b_step, extent = a_steps[axis], b_steps[axis], extents[axis]
    axis += 1
    if axis == len(extents):
        row(a, a_at, a_step, b, b_at, b_step, out, to, to + extent)
        return to + extent
    for _ in range(extent):
        to = by_rows(row, a, a_at, a_steps, b, b_at, b_steps, out, to, extents, axis)
        a_at += a_step
        b_at += b_step
    return to
