"""Recurrent layers: time steps, each of which adds up, and states between them."""

from burnpack.compat import const
from burnrt.checks.constants import each
from burnrt.checks.holding import hold
from burnrt.checks.integers import BEFORE, SUM_MOST
from burnrt.recurrent_words import (
    AFTER,
    APART,
    CELL,
    CELL_AFTER,
    DIRECTIONS,
    HIDDEN,
    KEEPS,
    MATRICES,
    NUMBERS,
    STATE,
    SUMS,
    SUMS_SIZE,
    TABLE,
    TIMES,
    WORK,
    laid,
)
from burnrt.words import INPUT

if False:  # for type checkers
    from burnrt.checks.integers import Needs
    from burnrt.memory import Memory

_PRODUCT_MOST = const(255 * 128)  # of a number and a weight
_INPUTS_MOST = const(32767)
# Rescaling words: shifts of 0 to 31 and of 1 to 30, and a factor of 14 bits.
_RESCALE_LEAST = const(1 << 24)
_RESCALE_MOST = const((31 << 24) - 1)
_RESCALE_ZEROS = const(0xE0C000)
_TABLE_MOST = const(0x1FFF0FFF)  # 13 bits of a tanh, 12 of a sigmoid
_TABLE_ZEROS = const(0xF000)
_BYTE = const(255)

# WORK KEEPS TIMES NUMBERS HIDDEN DIRECTIONS AFTER MATRICES APART, and one row of sums.
_STEPS = b"\x30\x06\x1f\x1f\x1d\x03\x30\x30\x30\x30" + b"\0" * SUMS_SIZE


def _gru(words: list[int], memory: "Memory", start: int) -> "Needs":
    return _sequence(3, words, memory, start, _TABLE_MOST, _TABLE_ZEROS)


def _lstm(words: list[int], memory: "Memory", start: int) -> "Needs":
    return _sequence(4, words, memory, start, _TABLE_MOST, _TABLE_ZEROS)


def _rnn(words: list[int], memory: "Memory", start: int) -> "Needs":
    return _sequence(1, words, memory, start, _BYTE, 0)


def _sequence(
    gates: int, words: list[int], memory: "Memory", start: int, table_most: int, table_zeros: int
) -> "Needs":
    """Return what time steps of so many gates take. table_most, table_zeros: of the table's words."""
    times, numbers, hidden, directions = words[TIMES : DIRECTIONS + 1]
    hold(BEFORE + HIDDEN, hidden * max(gates, 2), 1, _INPUTS_MOST)
    hold(BEFORE + NUMBERS, numbers + hidden, 2, _INPUTS_MOST - 3)
    hold(BEFORE + KEEPS, words[KEEPS], 0, 7 if gates == 4 else 3)  # only an LSTM has cells
    rows, _, end = laid(gates, words)
    each(memory, start, TABLE, 0, table_most, table_zeros)
    start += 4 * TABLE
    weight = 0
    for number, row in enumerate(rows):
        place = SUMS + number * SUMS_SIZE
        _row(words, place, row)
        first = words[MATRICES + number - 1] if number else 0
        weight = max(weight, first + row[2] * row[3])
    for _ in range(directions):
        for _, _, inputs, outputs in rows:
            most = SUM_MOST - inputs * _PRODUCT_MOST
            each(memory, start, outputs, -most, most, 0)
            start += 4 * outputs
            each(memory, start, outputs, _RESCALE_LEAST, _RESCALE_MOST, _RESCALE_ZEROS)
            start += 4 * outputs
    weight += (directions - 1) * words[APART]
    reads, writes = times * numbers, times * directions * hidden
    states = _states(gates, words, directions * hidden)
    window = gates * (numbers + hidden)
    return reads, writes, window, weight, end - words[WORK], INPUT, directions == 1, states


def _row(words: list[int], place: int, row: tuple[int, int, int, int]) -> None:
    """Hold the words of a matrix to what they must be."""
    given, made, inputs, outputs = row
    wanted = (given, made, 0, _BYTE, 128, outputs, 1, inputs, outputs)
    for number, word in enumerate(wanted):
        hold(BEFORE + place + number, words[place + number], word, word)


def _states(gates: int, words: list[int], size: int) -> "tuple[list[tuple[int, int]], list[tuple[int, int]]]":
    """Return the bytes of the states that are read, and of those that are written."""
    before, after = [STATE], [(AFTER, 2)]
    if gates == 4:
        before.append(CELL)
        after.append((CELL_AFTER, 4))
    keeps = words[KEEPS]
    read = [(words[place], words[place] + size) for place in before if keeps & 1]
    return read, [(words[place], words[place] + size) for place, bit in after if keeps & bit]


gru = _STEPS + b"\0" * (2 * SUMS_SIZE) + b"\x2a\x1a\x0a\x1d", _gru
lstm = _STEPS + b"\x30\x30\x10\x1f\x1c\x0a\x1b", _lstm
rnn = _STEPS, _rnn
