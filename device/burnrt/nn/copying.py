"""Numbers copied from one buffer to another, in rows as long as they can be."""

from burnrt import kernels

if False:  # for type checkers
    from collections.abc import Callable, Sequence
    from typing import Any

    from burnrt.types import Dimensions, NumberBuffer, Numbers, Spans


def copying(
    x: "Numbers", start: int, out: "NumberBuffer", to: int, dims: "Dimensions"
) -> "tuple[Callable[..., Any], tuple[Any, ...]]":
    """Return the call that copies numbers of x to `out`: a kernel and its arguments.

    start, to: where the first number is in x, and where it goes. dims: of each dimension its extent, and
        from one number to the next in x, where that may be 0 or below, and in out.
    """
    rows, size = joined(dims), 1
    if rows and rows[-1][1:] == (1, 1):
        size = rows.pop()[0]
    rows = sorted(rows) or [(1, 0, size)]  # the longest is the innermost: fewer of them are begun
    extents, steps, out_steps = [tuple(numbers) for numbers in zip(*rows)]
    if len(rows) == 1:
        return kernels.copy_rows, (x, start, steps[0], out, to, out_steps[0], extents[0], size)
    return kernels.copy_strided, (x, start, steps, out, to, out_steps, extents, size)


def joined(dims: "Dimensions") -> "list[tuple[int, int, int]]":
    """Return the dimensions from the outermost to the innermost of out; those that go on in both are one."""
    found: "list[tuple[int, int, int]]" = []
    for extent, step, out_step in sorted(dims, key=lambda dim: -dim[2]):
        if extent != 1:
            if found and found[-1][1:] == (extent * step, extent * out_step):
                extent *= found.pop()[0]
            found.append((extent, step, out_step))
    return found


def filled(spans: "Spans") -> "list[tuple[int, int, int]]":
    """Return `dims` through x whose numbers lie side by side in out.

    spans: of each dimension of out, the outermost first, its extent, and from one number to the next in x.
    """
    dims, out_step = [], 1
    for extent, step in reversed(spans):
        dims.append((extent, step, out_step))
        out_step *= extent
    return dims


def row_major(shape: "Sequence[int]") -> "Spans":
    """Return the `spans` of all numbers of a value of this shape."""
    return [(extent, out_step) for extent, _, out_step in reversed(filled([(each, 0) for each in shape]))]
