"""Constants, looked at a block at a time."""

from array import array

from burnpack.compat import const
from burnrt.checks.holding import hold

if False:  # for type checkers
    from burnrt.memory import Memory

_BLOCK = const(64)


def each(memory: "Memory", start: int, count: int, least: int, most: int, zeros: int) -> None:
    """Refuse words from byte `start` on that are not in least..most, or have bits that should be 0."""
    hold(2, start, 32, memory.words[1] - 4 * count)
    while count > 0:
        words = array("i", bytes(memory.view[start : start + 4 * min(count, _BLOCK)]))
        for word in words:
            if word & zeros or word < least or word > most:
                place = start // 4 + list(words).index(word)
                raise ValueError("word %d" % place, (least, most, zeros), word)
        start += 4 * _BLOCK
        count -= _BLOCK
