# ruff: noqa: F821
"""Functions of numbers of 16 bits, and bytes made of them, in viper."""

import micropython
from micropython import const

# Places in a step's words, as in burnrt.words and burnrt.wide_words: an unexported constant costs nothing.
_INPUT = const(0)
_OUTPUT = const(1)
_LOW = const(2)
_HIGH = const(3)
_COUNT = const(6)
_MIDDLE = const(7)
_MOST = const(8)
_BITS = const(9)
_SKIPPED = const(10)
_TURN = const(11)
_FACTOR = const(7)
_BIAS = const(8)
_SHIFT = const(9)


@micropython.viper
def wide_lookup(x: ptr16, s: int, w: ptr16, words: ptr32):
    middle, most, skipped = words[_MIDDLE], words[_MOST], words[_SKIPPED]
    bits, limit, table = words[_BITS], 2 << words[_BITS], s
    lower = s + 2 * words[_TURN]
    out = ptr16(int(x) + words[_OUTPUT])
    x = ptr16(int(x) + words[_INPUT])
    end = int(x) + 2 * words[_COUNT]
    while int(x) != end:
        s = x[0]
        if s > most:
            s = most
        s -= middle
        place = table
        if s < 0:
            s = 0 - s
            place = lower
        shift = skipped
        while s >> shift >= limit:
            shift += 1
        w = ptr16(place + 2 * ((shift - skipped << bits) + (s >> shift)))
        s = s & (1 << shift) - 1
        s = (w[1] - w[0]) * s + (1 << shift >> 1) >> shift
        out[0] = w[0] + s
        out = ptr16(int(out) + 2)
        x = ptr16(int(x) + 2)


@micropython.viper
def narrow(x: ptr16, s: int, w: ptr8, words: ptr32):
    low, high, shift = words[_LOW], words[_HIGH], words[_SHIFT]
    sign = 1
    sign = sign << 31  # in one constant it would not fit a small integer of 32 bits
    factor, bias = words[_FACTOR], (words[_BIAS] ^ sign) - sign
    w = ptr8(int(x) + words[_OUTPUT])
    x = ptr16(int(x) + words[_INPUT])
    end = int(w) + words[_COUNT]
    while int(w) != end:
        s = x[0] * factor + bias >> shift
        if s < low:
            s = low
        if s > high:
            s = high
        w[0] = s
        w = ptr8(int(w) + 1)
        x = ptr16(int(x) + 2)
