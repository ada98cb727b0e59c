# ruff: noqa: F821
"""Softmax of integers where a mask hides some, in viper."""

import micropython
from micropython import const

# Places in a step's words, as in burnrt.words: an unexported constant costs nothing.
_INPUT = const(0)
_OUTPUT = const(1)
_ROWS = const(6)
_SIZE = const(7)
_PERIOD = const(8)


@micropython.viper
def masked_softmax(x: ptr8, s: int, powers: ptr32, words: ptr32):
    first, w = s, ptr8(s)
    x, out, size = ptr8(int(x) + words[_INPUT]), ptr8(int(x) + words[_OUTPUT]), words[_SIZE]
    rows, turn = words[_ROWS], words[_PERIOD]
    while rows:
        largest = place = 0
        while place < size:
            if w[place >> 3] >> (place & 7) & 1 and x[place] > largest:
                largest = x[place]
            place += 1

        s = place = 0
        while place < size:
            if w[place >> 3] >> (place & 7) & 1:
                s = powers[largest - x[place]] + s
            place += 1

        half = s >> 1
        place = 0
        while place < size:
            share = 0
            if s and w[place >> 3] >> (place & 7) & 1:
                share = ((powers[largest - x[place]] << 8) + half) // s
            out[place] = share if share < 255 else 255
            place += 1
        x, out, w = ptr8(int(x) + size), ptr8(int(out) + size), ptr8(int(w) + (size + 7 >> 3))
        turn -= 1
        if not turn:
            turn, w = words[_PERIOD], ptr8(first)
        rows -= 1
