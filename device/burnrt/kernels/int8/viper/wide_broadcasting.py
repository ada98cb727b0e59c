# ruff: noqa: F821
"""Sums and products of numbers of 16 bits that are broadcast, in viper."""

import micropython
from micropython import const

# Places in a step's words, as in burnrt.words and burnrt.wide_words: an unexported constant costs nothing.
_INPUT = const(0)
_OUTPUT = const(1)
_OTHER = const(5)
_COUNT = const(6)
_FIRST_FACTOR = const(7)
_FIRST_ZERO = const(7)
_SECOND_FACTOR = const(8)
_SECOND_ZERO = const(8)
_BIAS = const(9)
_RESCALING = const(9)
_SHIFT = const(10)
_ZERO = const(10)
_PLANES = const(11)
_LINES = const(12)
_FIRST_STEPS = const(13)
_SECOND_STEPS = const(15)
_KEPT = const(18)
_LOW = const(19)
_HIGH = const(20)


@micropython.viper
def wide_add(x: ptr16, s: int, w: ptr16, words: ptr32):
    low, high, shift = words[_LOW], words[_HIGH], words[_SHIFT]
    sign = 1
    sign = sign << 31  # in one constant it would not fit a small integer of 32 bits
    first, second = (words[_FIRST_FACTOR] ^ sign) - sign, (words[_SECOND_FACTOR] ^ sign) - sign
    bias = (words[_BIAS] ^ sign) - sign
    step, count = 2 * words[_SECOND_STEPS + 2], 2 * words[_COUNT]
    out, plane = ptr16(int(x) + words[_OUTPUT]), int(x) + words[_INPUT]
    other = s if words[_KEPT] else int(x) + words[_OTHER]
    planes = words[_PLANES]
    while planes:
        line, row = plane, other
        lines = words[_LINES]
        while lines:
            x, w = ptr16(line), ptr16(row)
            end = line + count
            while int(x) != end:
                s = x[0] * first + bias
                s = w[0] * second + s >> shift
                if s < low:
                    s = low
                if s > high:
                    s = high
                out[0] = s
                out = ptr16(int(out) + 2)
                w = ptr16(int(w) + step)
                x = ptr16(int(x) + 2)
            line += 2 * words[_FIRST_STEPS + 1]
            row += 2 * words[_SECOND_STEPS + 1]
            lines -= 1
        plane += 2 * words[_FIRST_STEPS]
        other += 2 * words[_SECOND_STEPS]
        planes -= 1


@micropython.viper
def wide_multiply(x: ptr16, s: int, w: ptr16, words: ptr32):
    low, high, zero = words[_LOW], words[_HIGH], words[_ZERO]
    first, second, word = words[_FIRST_ZERO], words[_SECOND_ZERO], words[_RESCALING]
    factor, shift, bits = word & 0xFFFF, word >> 16 & 31, (word >> 24) - 1
    step, count = 2 * words[_SECOND_STEPS + 2], 2 * words[_COUNT]
    out, plane = ptr16(int(x) + words[_OUTPUT]), int(x) + words[_INPUT]
    other = s if words[_KEPT] else int(x) + words[_OTHER]
    planes = words[_PLANES]
    while planes:
        line, row = plane, other
        lines = words[_LINES]
        while lines:
            x, w = ptr16(line), ptr16(row)
            end = line + count
            while int(x) != end:
                s = x[0] - first
                y = w[0] - second
                s = (y >> 3) * s + ((y & 7) * s >> 3) >> shift
                if (s + 1048576) >> 21:
                    s = 1048575 if s > 0 else -1048576
                s = (s >> 8) * factor + ((s & 255) * factor >> 8)
                s = zero + ((s >> bits) + 1 >> 1)
                if s < low:
                    s = low
                if s > high:
                    s = high
                out[0] = s
                out = ptr16(int(out) + 2)
                w = ptr16(int(w) + step)
                x = ptr16(int(x) + 2)
            line += 2 * words[_FIRST_STEPS + 1]
            row += 2 * words[_SECOND_STEPS + 1]
            lines -= 1
        plane += 2 * words[_FIRST_STEPS]
        other += 2 * words[_SECOND_STEPS]
        planes -= 1
