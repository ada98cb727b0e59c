"""Steps that move numbers, or set them."""

from burnpack.compat import const
from burnrt.checks.holding import hold
from burnrt.checks.integers import BEFORE, PASSES
from burnrt.words import (
    COUNT,
    DIMENSIONS,
    EXTENTS,
    FILLED,
    FIRST,
    INPUT,
    INTO,
    OUT_STEPS,
    SOURCE,
    STEPS,
)

if False:  # for type checkers
    from burnrt.checks.integers import Needs
    from burnrt.memory import Memory

_MOST = const(1 << 24)  # bytes of an arena


def _copy(words: list[int], memory: "Memory", start: int) -> "Needs":
    hold(BEFORE + SOURCE, words[SOURCE], 0, 2)
    hold(BEFORE + INTO, words[INTO], 0, words[FILLED] - 1)
    count, low, high = 1, words[FIRST], words[FIRST]
    left = words[FILLED] - 1 - words[INTO]
    for axis in range(DIMENSIONS):
        extent, step, out_step = [words[place + axis] for place in (EXTENTS, STEPS, OUT_STEPS)]
        hold(BEFORE + EXTENTS + axis, extent, 1, words[FILLED] // count)  # before it is multiplied
        count *= extent
        more = extent - 1
        hold(BEFORE + OUT_STEPS + axis, out_step, 1, left // more if more else _MOST)
        hold(BEFORE + STEPS + axis, step, -(low // (more or 1)), (_MOST - high) // (more or 1))
        left -= more * out_step
        if step < 0:
            low += more * step
        else:
            high += more * step
    reads, weight = [(high + 1, 0), (high + 1, 256), (0, high + 1)][words[SOURCE]]
    return reads, words[FILLED], PASSES, weight, 0, INPUT, False, count


def _fill(words: list[int], memory: "Memory", start: int) -> "Needs":
    return 0, words[COUNT], 1, 0, 0, INPUT, False, words[COUNT]


copy = b"\x30\x30\x31" + b"\x31" * 5 + b"\0" * 5 + b"\x31" * 5, _copy
fill = b"\x31\x10", _fill
