# ruff: noqa: F821
"""Adding and looking up integers, in viper."""

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
_SECOND_FACTOR = const(8)
_BIAS = const(9)
_SHIFT = const(10)


@micropython.viper
def add(x: ptr8, s: int, w: ptr8, words: ptr32):
    low, high, shift = words[_LOW], words[_HIGH], words[_SHIFT]
    sign = 1
    sign = sign << 31  # in one constant it would not fit a small integer of 32 bits
    first, second = (words[_FIRST_FACTOR] ^ sign) - sign, (words[_SECOND_FACTOR] ^ sign) - sign
    bias = (words[_BIAS] ^ sign) - sign
    out, w = ptr8(int(x) + words[_OUTPUT]), ptr8(int(x) + words[_OTHER])
    x = ptr8(int(x) + words[_INPUT])
    end = int(x) + words[_COUNT]
    while int(x) != end:
        s = x[0] * first + bias
        s = w[0] * second + s >> shift
        if s < low:
            s = low
        if s > high:
            s = high
        out[0] = s
        out = ptr8(int(out) + 1)
        w = ptr8(int(w) + 1)
        x = ptr8(int(x) + 1)


@micropython.viper
def lookup(x: ptr8, table: ptr8, constants, words: ptr32):
    behind = words[_OUTPUT] - words[_INPUT]
    x = ptr8(int(x) + words[_INPUT])
    end = int(x) + words[_COUNT]
    while int(x) != end:
        x[behind] = table[x[0]]
        x = ptr8(int(x) + 1)
