# ruff: noqa: F821
"""Tables of vectors of integers, in viper."""

import micropython
from micropython import const

# Places in a step's words, as in burnrt.words: an unexported constant costs nothing.
_INPUT = const(0)
_OUTPUT = const(1)
_WIDE = const(5)
_COUNT = const(6)
_SIZE = const(7)
_ENTRIES = const(8)


@micropython.viper
def embedding(x: ptr8, s: int, w: ptr8, words: ptr32):
    out, size, last = ptr8(int(x) + words[_OUTPUT]), words[_SIZE], words[_ENTRIES] - 1
    x = ptr8(int(x) + words[_INPUT])
    left = words[_COUNT]
    while left:
        entry = x[0]
        if words[_WIDE]:
            x = ptr8(int(x) + 1)
            entry += x[0] << 8
        if entry > last:
            entry = last
        w = ptr8(s + entry * size)
        end = int(w) + size
        while int(w) != end:
            out[0] = w[0] ^ 128
            out = ptr8(int(out) + 1)
            w = ptr8(int(w) + 1)
        x = ptr8(int(x) + 1)
        left -= 1
