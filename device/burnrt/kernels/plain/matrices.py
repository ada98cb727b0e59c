"""Products of matrices that are both computed, in plain Python."""

if False:  # for type checkers
    from burnpack.types import Shape
    from burnrt.types import NumberBuffer, Numbers


def matmul(
    a: "Numbers", a_steps: "Shape", b: "Numbers", b_steps: "Shape", out: "NumberBuffer", sizes: "Shape"
) -> None:
    """out = the products of matrices of a and of b.

    sizes: (..., rows, inner, columns); what is before goes through pairs of matrices. a_steps, b_steps: of
    these dimensions, from a matrix to the next, and then from a row to the next and from a number of a row to
    the next. out: (..., rows, columns), row-major, not the buffer of a or b.
    """
    _products(a, 0, a_steps, b, 0, b_steps, out, 0, sizes, 0)


def _products(
    a: "Numbers",
    i: int,
    a_steps: "Shape",
    b: "Numbers",
    j: int,
    b_steps: "Shape",
    out: "NumberBuffer",
    to: int,
    sizes: "Shape",
    axis: int,
) -> int:
    if axis == len(sizes) - 3:
        for _ in range(sizes[axis]):
            _row(a, i, a_steps[-1], b, j, b_steps[-2], b_steps[-1], out, to, sizes[-2], sizes[-1])
            i += a_steps[-2]
            to += sizes[-1]
        return to
    for _ in range(sizes[axis]):
        to = _products(a, i, a_steps, b, j, b_steps, out, to, sizes, axis + 1)
        i += a_steps[axis]
        j += b_steps[axis]
    return to


def _row(
    a: "Numbers",
    start: int,
    a_step: int,
    b: "Numbers",
    j: int,
    b_step: int,
    column_step: int,
    out: "NumberBuffer",
    to: int,
    inner: int,
    columns: int,
) -> None:
    """Put the product of a row of a and a matrix of b into out, four columns at a time."""
    two, three = 2 * column_step, 3 * column_step
    for _ in range(columns // 4):
        # The four share each number that is read and the bookkeeping of the loop.
        i, k = start, j
        p = q = r = s = 0.0
        for _ in range(inner):
            value = a[i]
            p += value * b[k]
            q += value * b[k + column_step]
            r += value * b[k + two]
            s += value * b[k + three]
            i += a_step
            k += b_step
        out[to] = p
        out[to + 1] = q
        out[to + 2] = r
        out[to + 3] = s
        to += 4
        j += 4 * column_step
    for _ in range(columns % 4):
        i, k = start, j
        p = 0.0
        for _ in range(inner):
            p += a[i] * b[k]
            i += a_step
            k += b_step
        out[to] = p
        to += 1
        j += column_step
