"""Steps that normalise rows by their own mean and variance.

A number normalised is at most the root of how many a row has, √n; as 2^14.5 / √n stands for 1, that has 15
bits. It is off by less than a part in 16, so that it fits times a gain beside an offset.
"""

from burnpack.compat import const
from burnrt.checks.constants import each
from burnrt.checks.holding import hold
from burnrt.checks.integers import BEFORE, PASSES, SUM_MOST
from burnrt.words import (
    CENTER,
    EPSILON,
    INNER,
    INPUT,
    MEAN_BITS,
    NEXT,
    OWN_MEAN,
    ROWS,
    SHIFT,
    SIZE,
    VARIANCE_BITS,
)

if False:  # for type checkers
    from burnrt.checks.integers import Needs
    from burnrt.memory import Memory

_COUNT_MOST = const(16512)  # of a row: its squares, 255² each, fit
_VARIANCE_MOST = const(16257)  # of bytes, from the byte next to their mean
_GAIN_MOST = const(1 << 13)
_OFFSET_MOST = const(1 << 29)


def _normalize(words: list[int], memory: "Memory", start: int) -> "Needs":
    pairs, count = words[SIZE], words[SIZE] * words[INNER]
    bits, more = words[MEAN_BITS], words[VARIANCE_BITS]
    hold(BEFORE + INNER, count, 1, _COUNT_MOST)
    hold(BEFORE + CENTER, words[CENTER], 0, OWN_MEAN)
    if words[NEXT]:
        hold(BEFORE + NEXT, words[NEXT], pairs, pairs)
        pairs *= words[ROWS]
    hold(BEFORE + MEAN_BITS, bits, 7, 15)
    hold(BEFORE + MEAN_BITS, (255 * count << bits) + count // 2, 0, SUM_MOST)
    hold(BEFORE + VARIANCE_BITS, more, 0, min(bits, 12))
    hold(BEFORE + VARIANCE_BITS, more & 1, 0, 0)  # its half is whole
    most = _VARIANCE_MOST if words[CENTER] == OWN_MEAN else 255 * 255
    hold(BEFORE + EPSILON, words[EPSILON], 1, SUM_MOST - (most * count << more))
    hold(BEFORE + SHIFT, words[SHIFT], 0, 30)
    each(memory, start, 2 * pairs, -_OFFSET_MOST, _OFFSET_MOST, 0)
    for pair in range(pairs):
        hold("%d" % (start // 4 + 2 * pair), memory.words[start // 4 + 2 * pair], -_GAIN_MOST, _GAIN_MOST)
    return words[ROWS] * count, words[ROWS] * count, 2 * PASSES, 0, 0, INPUT, True


normalize = b"\x1f\x1f\x1f\x1e\0\x08\x08\0", _normalize
