"""Comparisons and choices, of inputs that are broadcast, in plain Python.

They take what `by_rows` says.
"""

if False:  # for type checkers
    from burnpack.types import Shape
    from burnrt.types import NumberBuffer, Numbers


def compare(
    a: "Numbers",
    a_steps: "Shape",
    b: "Numbers",
    b_steps: "Shape",
    out: "NumberBuffer",
    extents: "Shape",
    answers: tuple[float, float, float, float],
) -> None:
    """out = one of four answers: for a that is less than b, equal, greater, or where one is no number."""
    _compare(a, 0, a_steps, b, 0, b_steps, out, 0, extents, answers, 0)


def _compare(
    a: "Numbers",
    i: int,
    a_steps: "Shape",
    b: "Numbers",
    j: int,
    b_steps: "Shape",
    out: "NumberBuffer",
    to: int,
    extents: "Shape",
    answers: tuple[float, float, float, float],
    axis: int,
) -> int:
    a_step, b_step, extent = a_steps[axis], b_steps[axis], extents[axis]
    axis += 1
    is_row = axis == len(extents)
    less, equal, greater, unordered = answers
    for _ in range(extent):
        if is_row:
            x, y = a[i], b[j]
            out[to] = less if x < y else equal if x == y else greater if x > y else unordered
            to += 1
        else:
            to = _compare(a, i, a_steps, b, j, b_steps, out, to, extents, answers, axis)
        i += a_step
        j += b_step
    return to


def where(
    condition: "Numbers",
    condition_steps: "Shape",
    a: "Numbers",
    a_steps: "Shape",
    b: "Numbers",
    b_steps: "Shape",
    out: "NumberBuffer",
    extents: "Shape",
) -> None:
    """out = a where the condition is not 0, else b."""
    _where(condition, 0, condition_steps, a, 0, a_steps, b, 0, b_steps, out, 0, extents, 0)


def _where(
    condition: "Numbers",
    at: int,
    condition_steps: "Shape",
    a: "Numbers",
    i: int,
    a_steps: "Shape",
    b: "Numbers",
    j: int,
    b_steps: "Shape",
    out: "NumberBuffer",
    to: int,
    extents: "Shape",
    axis: int,
) -> int:
    step, a_step, b_step, extent = condition_steps[axis], a_steps[axis], b_steps[axis], extents[axis]
    axis += 1
    is_row = axis == len(extents)
    for _ in range(extent):
        if is_row:
            out[to] = a[i] if condition[at] else b[j]
            to += 1
        else:
            to = _where(condition, at, condition_steps, a, i, a_steps, b, j, b_steps, out, to, extents, axis)
        at += step
        i += a_step
        j += b_step
    return to
