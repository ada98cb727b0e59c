# ruff: noqa: F821
"""Recurrent layers on integers, in viper: a loop over time steps, around the fastest dense layer."""

import micropython
from micropython import const

from burnrt.kernels import int8

# Places in a step's words, as in burnrt.words and recurrent_words: an unexported constant costs nothing.
_INPUT = const(0)
_OUTPUT = const(1)
_ZERO = const(4)
_STATE = const(5)
_WORK = const(6)
_KEEPS = const(7)
_TIMES = const(8)
_NUMBERS = const(9)
_HIDDEN = const(10)
_DIRECTIONS = const(11)
_AFTER = const(12)
_MATRICES = const(13)
_APART = const(15)
_SUMS = const(16)
_OF_INPUT = const(43)
_OF_HIDDEN = const(44)
_SHIFT = const(45)
_OF_NEW = const(46)
_CELL = const(25)
_CELL_AFTER = const(26)
_CELL_ZERO = const(27)
_OF_PRODUCT = const(28)
_OF_CELL = const(29)
_CELL_SHIFT = const(30)
_OF_ANSWER = const(31)
_TABLE_SIZE = const(4 * 257)  # bytes


@micropython.viper
def gru(x: int, weight: int, constants: int, words: int):
    _run(x, weight, constants, words, _gru_step, 3)


@micropython.viper
def lstm(x: int, weight: int, constants: int, words: int):
    _run(x, weight, constants, words, _lstm_step, 4)


@micropython.viper
def rnn(x: int, weight: int, constants: int, words: int):
    _run(x, weight, constants, words, _rnn_step, 1)


@micropython.viper
def _run(arena: int, weight: int, constants: int, row: int, step, gates: int):
    words = ptr32(row)
    linear = int8.linear
    times, numbers, hidden = words[_TIMES], words[_NUMBERS], words[_HIDDEN]
    padded = (numbers + 3) & -4
    state = arena + words[_WORK] + padded
    first, second, third = row + (_SUMS << 2), row + (_SUMS + 9 << 2), row + (_SUMS + 18 << 2)
    at_second, at_third = words[_MATRICES], words[_MATRICES + 1]
    sums = arena + words[_SUMS + _OUTPUT]
    kept = sums + ((gates * hidden + 3) & -4)
    if gates == 3:
        kept = arena + words[_SUMS + 18 + _OUTPUT] + ((hidden + 3) & -4)
    table = constants
    constants += _TABLE_SIZE
    size = words[_DIRECTIONS] * hidden
    of = 0
    while of != words[_DIRECTIONS]:
        start = of * hidden
        # What is less than a byte's step lies behind an LSTM's cells.
        low = kept
        if gates == 4:
            low += (hidden + 3) & -4
            _set(kept, hidden, words[_CELL_ZERO])
        _set(state, hidden, words[_ZERO])
        if words[_KEEPS] & 1:
            _copy(arena + words[_STATE] + start, state, hidden)
            if gates == 4:
                _copy(arena + words[_CELL] + start, kept, hidden)
        if gates != 1:
            _set(low, hidden, 128)

        x, out = arena + words[_INPUT], arena + words[_OUTPUT] + start
        ahead, further = numbers, size
        if of:
            x += (times - 1) * numbers
            out += (times - 1) * size
            ahead, further = 0 - numbers, 0 - size
        left = times
        while left:
            _copy(x, state - padded, numbers)
            linear(arena, weight, constants, first)
            if gates == 3:
                linear(arena, weight + at_second, constants + (hidden << 4), second)
                linear(arena, weight + at_third, constants + (hidden << 4) + (hidden << 3), third)
            step(arena, state, kept, table, row)
            _copy(state, out, hidden)
            x += ahead
            out += further
            left -= 1
        if words[_KEEPS] & 2:
            _copy(state, arena + words[_AFTER] + start, hidden)
        if words[_KEEPS] & 4:
            _copy(kept, arena + words[_CELL_AFTER] + start, hidden)
        weight += words[_APART]
        constants += gates * (hidden << 3)
        if gates == 3:
            constants += hidden << 3
        of += 1


@micropython.viper
def _copy(start: int, to: int, count: int):
    x, out = ptr8(start), ptr8(to)
    end = start + count
    while int(x) != end:
        out[0] = x[0]
        x = ptr8(int(x) + 1)
        out = ptr8(int(out) + 1)


@micropython.viper
def _set(to: int, count: int, number: int):
    out = ptr8(to)
    end = to + count
    while int(out) != end:
        out[0] = number
        out = ptr8(int(out) + 1)


@micropython.viper
def _gru_step(arena: int, state: int, kept: int, table: ptr32, words: ptr32):
    x, s, low = ptr8(arena + words[_SUMS + _OUTPUT]), 0, ptr8(kept)
    new, old = ptr8(arena + words[_SUMS + 9 + _OUTPUT]), ptr8(arena + words[_SUMS + 18 + _OUTPUT])
    hidden, high = words[_HIDDEN], ptr8(state)
    of_input, of_hidden = words[_OF_INPUT], words[_OF_HIDDEN]
    shift, of_new, middle = words[_SHIFT], words[_OF_NEW], (words[_ZERO] << 8) + 128
    end = state + hidden
    while int(high) != end:
        s = table[x[0]] & 4095
        s = (s + (s >> 11)) * (old[0] - 128) >> 4
        s = ((new[0] - 128) * of_input + s * of_hidden >> shift) + 32768
        if s >> 16:
            s = 0 if s < 0 else 65535
        part = s & 255
        at = s >> 8
        s = table[at] >> 16
        s = s + (((table[at + 1] >> 16) - s) * part >> 8) - 4096
        s = s * of_new + 512 >> 10
        part = table[x[hidden]] & 4095
        part = (part + (part >> 11)) * ((high[0] << 8) + low[0] - middle - s) + 2048 >> 12
        s = s + part + middle
        if s >> 16:
            s = 0 if s < 0 else 65535
        high[0] = s >> 8
        low[0] = s
        x = ptr8(int(x) + 1)
        new = ptr8(int(new) + 1)
        old = ptr8(int(old) + 1)
        low = ptr8(int(low) + 1)
        high = ptr8(int(high) + 1)


@micropython.viper
def _lstm_step(arena: int, state: int, kept: int, table: ptr32, words: ptr32):
    x, s, hidden = ptr8(arena + words[_SUMS + _OUTPUT]), 0, words[_HIDDEN]
    high, low, out = ptr8(kept), ptr8(kept + ((hidden + 3) & -4)), ptr8(state)
    of_product, of_cell = words[_OF_PRODUCT], words[_OF_CELL]
    shift, of_answer = words[_CELL_SHIFT], words[_OF_ANSWER]
    middle, zero = (words[_CELL_ZERO] << 8) + 128, words[_ZERO]
    end, thrice = state + hidden, 3 * hidden
    while int(out) != end:
        s = table[x[hidden]] & 4095
        cell = (s + (s >> 11)) * ((high[0] << 8) + low[0] - middle) + 2048 >> 12
        s = table[x[0]] & 4095
        s = (s + (s >> 11)) * ((table[x[thrice]] >> 16) - 4096) >> 10
        s = s * of_product + 8192 >> 14
        s = s + cell + middle
        if s >> 16:
            s = 0 if s < 0 else 65535
        high[0] = s >> 8
        low[0] = s
        s = ((s - middle) * of_cell >> shift) + 32768
        if s >> 16:
            s = 0 if s < 0 else 65535
        part = s & 255
        at = s >> 8
        s = table[at] >> 16
        s = s + (((table[at + 1] >> 16) - s) * part >> 8) - 4096
        part = table[x[hidden << 1]] & 4095
        s = (part + (part >> 11)) * s >> 9
        s = zero + (s * of_answer + 524288 >> 20)
        if s >> 8:
            s = 0 if s < 0 else 255
        out[0] = s
        x = ptr8(int(x) + 1)
        low = ptr8(int(low) + 1)
        high = ptr8(int(high) + 1)
        out = ptr8(int(out) + 1)


@micropython.viper
def _rnn_step(arena: int, state: int, kept: int, table: ptr32, words: ptr32):
    x, out = ptr8(arena + words[_SUMS + _OUTPUT]), ptr8(state)
    end = state + words[_HIDDEN]
    while int(out) != end:
        out[0] = table[x[0]]
        x = ptr8(int(x) + 1)
        out = ptr8(int(out) + 1)
