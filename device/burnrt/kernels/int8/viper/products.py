# ruff: noqa: F821
"""Products of matrices of integers, in viper: the second becomes the weight of a dense layer."""

import micropython
from micropython import const

from burnrt.kernels import int8

# Places in a step's words, as in burnrt.words: an unexported constant costs nothing.
_INPUT = const(0)
_OUTPUT = const(1)
_LOW = const(2)
_HIGH = const(3)
_ZERO = const(4)
_RESCALE = const(5)
_ROWS = const(6)
_INPUTS = const(7)
_OUTPUTS = const(8)

_OTHER = const(5)
_WORK = const(6)
_PAD = const(7)
_OTHER_ZERO = const(8)
_RESCALING = const(9)
_STEP = const(10)
_MATRICES = const(11)
_LINES = const(12)
_TERMS = const(13)
_COLUMNS = const(14)
_OTHER_STEP = const(15)
_DOWN = const(16)
_ACROSS = const(17)


@micropython.viper
def matmul(x: int, s: int, w: int, words: ptr32):
    # In WORK: a row of words for the dense layer, biases, rescaling words, weights.
    row = ptr32(x + words[_WORK])
    row[_INPUT], row[_OUTPUT] = words[_INPUT], words[_OUTPUT]
    row[_LOW], row[_HIGH], row[_ZERO] = words[_LOW], words[_HIGH], words[_ZERO]
    columns = words[_COLUMNS]
    row[_RESCALE] = columns
    row[_ROWS], row[_INPUTS], row[_OUTPUTS] = words[_LINES], words[_TERMS], columns
    bias = int(row) + 36
    weights = bias + 8 * columns
    other, left = x + words[_OTHER], words[_MATRICES]
    while left:
        _pack(other, bias, weights, words)
        int8.linear(x, weights, bias, int(row))
        row[_INPUT] = row[_INPUT] + words[_STEP]
        row[_OUTPUT] = row[_OUTPUT] + words[_LINES] * columns
        other += words[_OTHER_STEP]
        left -= 1


@micropython.viper
def _pack(y: int, s: int, w: ptr8, words: ptr32):
    bias, zero, pad = ptr32(s), words[_OTHER_ZERO], words[_PAD]
    down, inner, columns = words[_DOWN], words[_TERMS], words[_COLUMNS]
    half = 0 if zero == 128 else 1
    left = columns
    while left:
        x = ptr8(y)
        s = 0
        end = int(w) + inner
        if not half:  # four at a time, and their sum is 128 × inner too large
            fours = int(w) + (inner & -4)
            while int(w) != fours:
                v = x[0]
                w[0] = v ^ 128
                s = v + s
                x = ptr8(int(x) + down)
                v = x[0]
                w[1] = v ^ 128
                s = v + s
                x = ptr8(int(x) + down)
                v = x[0]
                w[2] = v ^ 128
                s = v + s
                x = ptr8(int(x) + down)
                v = x[0]
                w[3] = v ^ 128
                s = v + s
                x = ptr8(int(x) + down)
                w = ptr8(int(w) + 4)
            s -= (inner & -4) << 7
        while int(w) != end:
            v = x[0] - zero + half >> half
            if v > 127:
                v = 127
            s = v + s
            w[0] = v
            x = ptr8(int(x) + down)
            w = ptr8(int(w) + 1)
        bias[0] = 0 - s * pad
        bias[columns] = words[_RESCALING]
        bias = ptr32(int(bias) + 4)
        y += words[_ACROSS]
        left -= 1
