"""Steps of each number, or of each row of numbers."""

from burnrt.checks.constants import each
from burnrt.checks.holding import hold
from burnrt.checks.integers import BEFORE, PASSES, SUM_MOST
from burnrt.words import BIAS, COUNT, FIRST_FACTOR, INPUT, OTHER, ROWS, SECOND_FACTOR, SHIFT, SIZE, TABLES

if False:  # for type checkers
    from burnrt.checks.integers import Needs
    from burnrt.memory import Memory


def _add(words: list[int], memory: "Memory", start: int) -> "Needs":
    most = 255 * (abs(words[FIRST_FACTOR]) + abs(words[SECOND_FACTOR])) + abs(words[BIAS])
    hold(BEFORE + FIRST_FACTOR, most, 0, SUM_MOST)
    hold(BEFORE + SHIFT, words[SHIFT], 0, 30)
    return words[COUNT], words[COUNT], PASSES, 0, 0, OTHER, True


def _lookup(words: list[int], memory: "Memory", start: int) -> "Needs":
    return words[COUNT], words[COUNT], PASSES, 256, 0, INPUT, True


def _lookup_each(words: list[int], memory: "Memory", start: int) -> "Needs":
    count = words[COUNT] * words[TABLES]
    return count, count, PASSES, 256 * words[TABLES], 0, INPUT, True


def _softmax(words: list[int], memory: "Memory", start: int) -> "Needs":
    most = min(1 << 20, (1 << 28) // words[SIZE])
    each(memory, start, 1, 1, most, 0)
    each(memory, start, 256, 0, most, 0)
    return words[ROWS] * words[SIZE], words[ROWS] * words[SIZE], 1, 0, 0, INPUT, False


add = b"\x31\0\0\0\0", _add
lookup = b"\x31", _lookup
lookup_each = b"\x31\x1f", _lookup_each
softmax = b"\x1f\x1f", _softmax
