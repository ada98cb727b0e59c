"""Inputs that are broadcast, and products of matrices."""

from burnrt.checks.floats.counts import EACH, flat, real

if False:  # for type checkers
    from typing import Any

_DIMENSIONS_MOST = 8


def subtract(a: "Any", a_steps: "Any", b: "Any", b_steps: "Any", out: "Any", extents: "Any") -> "Any":
    return _each(out, extents, ((a, a_steps), (b, b_steps)))


add_strided = multiply_strided = divide = minimum = maximum = subtract
power = floor_divide = remainder = fmod = subtract


def compare(
    a: "Any", a_steps: "Any", b: "Any", b_steps: "Any", out: "Any", extents: "Any", answers: "Any"
) -> "Any":
    return len(answers) == 4 and real(*answers) and _each(out, extents, ((a, a_steps), (b, b_steps)))


def where(
    condition: "Any",
    condition_steps: "Any",
    a: "Any",
    a_steps: "Any",
    b: "Any",
    b_steps: "Any",
    out: "Any",
    extents: "Any",
) -> "Any":
    return _each(out, extents, ((condition, condition_steps), (a, a_steps), (b, b_steps)))


def matmul(a: "Any", a_steps: "Any", b: "Any", b_steps: "Any", out: "Any", sizes: "Any") -> "Any":
    batch, (rows, inner, columns) = sizes[:-3], sizes[-3:]
    fits = a == _reach(a_steps, batch + (rows, inner)) and b == _reach(b_steps, batch + (inner, columns))
    work = flat(*sizes)[0]
    is_bounded = 1 <= len(batch) <= _DIMENSIONS_MOST
    return fits and is_bounded and work > 0 and out == flat(*(batch + (rows, columns))) and (work, 16, 0)


def _each(out: "Any", extents: "Any", inputs: "Any") -> "Any":
    """Check inputs, (numbers, steps) each, of an output as large as the extents say."""
    count = flat(*extents)
    shared, bit = 0, 1
    for numbers, steps in inputs:
        if numbers != _reach(steps, extents):
            raise ValueError
        if numbers == count and (count == [1] or steps == _packed(extents)):
            shared |= bit
        bit <<= 2
    is_bounded = 1 <= len(extents) <= _DIMENSIONS_MOST
    return is_bounded and out == count and count[0] > 0 and (EACH * count[0], bit, shared)


def _reach(steps: "Any", extents: "Any") -> "list[int]":
    """Return how many numbers there are up to the last one that steps go to."""
    flat(*steps)
    if len(steps) != len(extents):
        raise ValueError
    return [1 + sum([(extent - 1) * step for extent, step in zip(extents, steps)])]


def _packed(extents: "Any") -> "tuple[int, ...]":
    """Return the steps of numbers that lie as they are gone through."""
    steps: "tuple[int, ...]" = ()
    for axis in range(len(extents)):
        steps += (flat(*extents[axis + 1 :])[0],)
    return steps
