# ruff: noqa: F821
"""Softmax of integers, in viper."""

import micropython
from micropython import const

# Places in a step's words, as in burnrt.words: an unexported constant costs nothing.
_INPUT = const(0)
_OUTPUT = const(1)
_ROWS = const(6)
_SIZE = const(7)


@micropython.viper
def softmax(x: ptr8, s: int, powers: ptr32, words: ptr32):
    row, out, size = int(x) + words[_INPUT], ptr8(int(x) + words[_OUTPUT]), words[_SIZE]
    rows = words[_ROWS]
    while rows:
        end = row + size
        x = ptr8(row)
        largest = 0
        while int(x) != end:
            if x[0] > largest:
                largest = x[0]
            x = ptr8(int(x) + 1)

        x = ptr8(row)
        s = 0
        while int(x) != end:
            s = powers[largest - x[0]] + s
            x = ptr8(int(x) + 1)

        x = ptr8(row)
        half = s >> 1
        while int(x) != end:
            share = ((powers[largest - x[0]] << 8) + half) // s
            out[0] = share if share < 255 else 255
            out = ptr8(int(out) + 1)
            x = ptr8(int(x) + 1)
        row = end
        rows -= 1
