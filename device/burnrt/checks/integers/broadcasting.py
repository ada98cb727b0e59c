"""Steps of numbers that are broadcast.

Steps follow from which operand has which of three extents: each goes through all its numbers in their order,
so a kernel may write where it reads one that has them all.
"""

from burnrt.checks.holding import hold
from burnrt.checks.integers import BEFORE, PASSES, SUM_MOST
from burnrt.words import (
    BIAS,
    COUNT,
    FACTOR,
    FIRST_FACTOR,
    FIRST_STEPS,
    INPUT,
    KEPT,
    LINES,
    OTHER,
    PLANES,
    SECOND_FACTOR,
    SECOND_STEPS,
    SHIFT,
)

if False:  # for type checkers
    from burnrt.checks.integers import Needs
    from burnrt.memory import Memory


def _sums(words: list[int], memory: "Memory", start: int) -> "Needs":
    return _needs(words, 255 * (abs(words[FIRST_FACTOR]) + abs(words[SECOND_FACTOR])))


def _products(words: list[int], memory: "Memory", start: int) -> "Needs":
    return _needs(words, 255 * 255 * words[FACTOR])


def _needs(words: list[int], most: int) -> "Needs":
    hold(BEFORE + BIAS, most + abs(words[BIAS]), 0, SUM_MOST)
    hold(BEFORE + SHIFT, words[SHIFT], 0, 30)
    extents = words[PLANES], words[LINES], words[COUNT]
    reads = _size(extents, words[FIRST_STEPS:SECOND_STEPS] + [1], FIRST_STEPS)
    others = _size(extents, words[SECOND_STEPS:KEPT], SECOND_STEPS)
    writes = words[PLANES] * words[LINES] * words[COUNT]
    if words[KEPT]:
        return reads, writes, PASSES, others, 0, INPUT, True
    return (reads, others), writes, PASSES, 0, 0, OTHER, True


def _size(extents: "tuple[int, ...]", steps: list[int], place: int) -> int:
    """Return how many numbers an operand has, whose steps are 0 or lead past all that is behind."""
    size = 1
    for axis in (2, 1, 0):
        if steps[axis]:
            hold(BEFORE + place + axis, steps[axis], size, size)
            size *= extents[axis]
    return size


_STEPS = b"\x1f\x1f\x30\x30\x30\x30\x02\x02"  # PLANES LINES, then steps and KEPT

add_strided = b"\x31\0\0\0\0" + _STEPS, _sums
multiply_strided = b"\x31\x10\x10\0\0" + _STEPS + b"\x20", _products
