"""Constants, looked at many at a time."""

from struct import unpack_from

from burnpack.compat import const
from burnrt.checks.holding import hold

if False:  # for type checkers
    from burnrt.memory import Memory

_BLOCK = const(64)


def each(memory: "Memory", start: int, count: int, least: int, most: int, zeros: int) -> None:
    """Refuse words from byte `start` on that are not in least..most, or have bits that should be 0."""
    hold(2, start, 32, memory.words[1] - 4 * count)
    while count > 0:
        part = unpack_from("<%di" % min(count, _BLOCK), memory.view, start)
        for value in (min(part), max(part)):
            hold(start // 4 + part.index(value), value, least, most)
        for word in part:
            if word & zeros:
                hold(start // 4 + part.index(word), word & zeros, 0, 0)
        start += 4 * _BLOCK
        count -= _BLOCK
