"""Numbers that are set, and that are moved in rows."""

from burnrt.checks.floats.counts import EACH, flat, real

if False:  # for type checkers
    from typing import Any

_DIMENSIONS_MOST = 8


def fill(out: "Any", start: int, count: int, value: float) -> "Any":
    flat(start, count)
    return real(value) and out >= [start + count] and (count, 1, 0)


def copy_strided(
    x: "Any", start: int, steps: "Any", out: "Any", to: int, out_steps: "Any", extents: "Any", size: int
) -> "Any":
    flat(start, to, *out_steps)
    flat(*[max(step, -step) for step in steps])
    if not 1 <= len(extents) <= _DIMENSIONS_MOST:
        raise ValueError
    count, first, end, out_end = flat(size, *extents)[0], start, start + size, to + size
    for axis in range(len(extents)):
        reach = (extents[axis] - 1) * steps[axis]
        first += min(reach, 0)
        end += max(reach, 0)
        out_end += (extents[axis] - 1) * out_steps[axis]
    fits = len(steps) == len(out_steps) == len(extents) and count > 0 and first >= 0
    return fits and x >= [end] and out >= [out_end] and (EACH * count, 8, 0)


def copy_rows(
    x: "Any", start: int, step: int, out: "Any", to: int, out_step: int, rows: int, size: int
) -> "Any":
    return copy_strided(x, start, (step,), out, to, (out_step,), (rows,), size)


def index_select(x: "Any", out: "Any", outer: int, size: int, inner: int, indices: "Any") -> "Any":
    flat(*indices)
    count = len(indices)
    fits = x == flat(outer, size, inner) and out == flat(outer, count, inner) and outer * inner > 0
    return fits and 0 <= min(indices) <= max(indices) < size and (EACH * out[0], 2, 0)
