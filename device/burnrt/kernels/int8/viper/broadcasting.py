# ruff: noqa: F821
"""Sums and products of integers that are broadcast, in viper."""

import micropython
from micropython import const

# Places in a step's words, as in burnrt.words: an unexported constant costs nothing.
_INPUT = const(0)
_OUTPUT = const(1)
_LOW = const(2)
_HIGH = const(3)
_OTHER = const(5)
_COUNT = const(6)
_FIRST_FACTOR = const(7)
_FIRST_ZERO = const(7)
_SECOND_FACTOR = const(8)
_SECOND_ZERO = const(8)
_BIAS = const(9)
_SHIFT = const(10)
_PLANES = const(11)
_LINES = const(12)
_FIRST_STEPS = const(13)
_SECOND_STEPS = const(15)
_KEPT = const(18)
_FACTOR = const(19)


@micropython.viper
def add_strided(x: ptr8, s: int, w: ptr8, words: ptr32):
    low, high, shift = words[_LOW], words[_HIGH], words[_SHIFT]
    sign = 1
    sign = sign << 31  # in one constant it would not fit a small integer of 32 bits
    first, second = (words[_FIRST_FACTOR] ^ sign) - sign, (words[_SECOND_FACTOR] ^ sign) - sign
    bias = (words[_BIAS] ^ sign) - sign
    step, count = words[_SECOND_STEPS + 2], words[_COUNT]
    out, plane = ptr8(int(x) + words[_OUTPUT]), int(x) + words[_INPUT]
    other = s if words[_KEPT] else int(x) + words[_OTHER]
    planes = words[_PLANES]
    while planes:
        line, row = plane, other
        lines = words[_LINES]
        while lines:
            x, w = ptr8(line), ptr8(row)
            end = line + count
            while int(x) != end:
                s = x[0] * first + bias
                s = w[0] * second + s >> shift
                if s < low:
                    s = low
                if s > high:
                    s = high
                out[0] = s
                out = ptr8(int(out) + 1)
                w = ptr8(int(w) + step)
                x = ptr8(int(x) + 1)
            line += words[_FIRST_STEPS + 1]
            row += words[_SECOND_STEPS + 1]
            lines -= 1
        plane += words[_FIRST_STEPS]
        other += words[_SECOND_STEPS]
        planes -= 1


@micropython.viper
def multiply_strided(x: ptr8, s: int, w: ptr8, words: ptr32):
    low, high, shift = words[_LOW], words[_HIGH], words[_SHIFT]
    sign = 1
    sign = sign << 31  # in one constant it would not fit a small integer of 32 bits
    first, second, factor = words[_FIRST_ZERO], words[_SECOND_ZERO], words[_FACTOR]
    bias = (words[_BIAS] ^ sign) - sign
    step, count = words[_SECOND_STEPS + 2], words[_COUNT]
    out, plane = ptr8(int(x) + words[_OUTPUT]), int(x) + words[_INPUT]
    other = s if words[_KEPT] else int(x) + words[_OTHER]
    planes = words[_PLANES]
    while planes:
        line, row = plane, other
        lines = words[_LINES]
        while lines:
            x, w = ptr8(line), ptr8(row)
            end = line + count
            while int(x) != end:
                s = (x[0] - first) * factor
                s = (w[0] - second) * s + bias >> shift
                if s < low:
                    s = low
                if s > high:
                    s = high
                out[0] = s
                out = ptr8(int(out) + 1)
                w = ptr8(int(w) + step)
                x = ptr8(int(x) + 1)
            line += words[_FIRST_STEPS + 1]
            row += words[_SECOND_STEPS + 1]
            lines -= 1
        plane += words[_FIRST_STEPS]
        other += words[_SECOND_STEPS]
        planes -= 1
