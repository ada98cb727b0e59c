"""Steps of products of matrices, of softmax with a mask, and of tables of vectors."""

from burnrt.checks.constants import each
from burnrt.checks.holding import hold
from burnrt.checks.integers import BEFORE, PASSES, SUM_MOST
from burnrt.words import (
    ACROSS,
    COLUMNS,
    COUNT,
    DOWN,
    ENTRIES,
    INPUT,
    MATRICES,
    OTHER,
    OTHER_STEP,
    PERIOD,
    RESCALING,
    ROWS,
    SIZE,
    STEP,
    TERMS,
    WIDE,
    product_size,
)

if False:  # for type checkers
    from burnrt.checks.integers import Needs
    from burnrt.memory import Memory

_INNER_MOST = SUM_MOST // (2 * 255 * 128)  # products and what a zero point makes of them


def _masked_softmax(words: list[int], memory: "Memory", start: int) -> "Needs":
    most = min(1 << 20, (1 << 28) // words[SIZE])
    each(memory, start, 1, 1, most, 0)
    each(memory, start, 256, 0, most, 0)
    count = words[ROWS] * words[SIZE]
    return count, count, 2, words[PERIOD] * ((words[SIZE] + 7) >> 3), 0, INPUT, False


def _matmul(words: list[int], memory: "Memory", start: int) -> "Needs":
    matrices, lines, inner, columns = words[MATRICES : COLUMNS + 1]
    hold(BEFORE + TERMS, inner, 1, _INNER_MOST)
    word = words[RESCALING]
    hold(BEFORE + RESCALING, word, 1 << 24, (31 << 24) - 1)
    hold(BEFORE + RESCALING, word & 0xE0C000, 0, 0)
    first = (matrices - 1) * words[STEP] + lines * inner
    second = (
        (matrices - 1) * words[OTHER_STEP] + (inner - 1) * words[DOWN] + (columns - 1) * words[ACROSS] + 1
    )
    window = inner + PASSES * (inner // lines + 1)  # each is made a weight once
    return (first, second), matrices * lines * columns, window, 0, product_size(inner, columns), OTHER, False


def _embedding(words: list[int], memory: "Memory", start: int) -> "Needs":
    count, size, entries = words[COUNT : ENTRIES + 1]
    hold(BEFORE + WIDE, words[WIDE], 0, 1)
    return (count << words[WIDE], 0), count * size, PASSES, entries * size, 0, INPUT, False


embedding = b"\x1f\x1f\x21", _embedding
masked_softmax = b"\x1f\x1f\x1f", _masked_softmax
# WORK PAD OTHER_ZERO RESCALING, then STEP, extents, and the other steps
matmul = b"\x30\x10\x10\0\x30\x1f\x1f\x1f\x1f\x30\x30\x30", _matmul
