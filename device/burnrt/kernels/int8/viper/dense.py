# ruff: noqa: F821
"""The dense layer on integers, in viper."""

import micropython
from micropython import const

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


@micropython.viper
def linear(x: ptr8, s: int, w: ptr8, words: ptr32):
    weights, constants = s, ptr32(int(w))
    low, high, zero = words[_LOW], words[_HIGH], words[_ZERO]
    rescale, inputs, outputs = words[_RESCALE], words[_INPUTS], words[_OUTPUTS]
    row, out = int(x) + words[_INPUT], ptr8(int(x) + words[_OUTPUT])
    sign = 1
    sign = sign << 31  # in one constant it would not fit a small integer of 32 bits
    rows = words[_ROWS]
    while rows:
        sixteens, fours, end = row + (inputs & -16), row + (inputs & -4), row + inputs

        # What the sums of this row will be too large by.
        x = ptr8(row)
        s = 0
        while int(x) != fours:
            s = x[0] + s
            s = x[1] + s
            s = x[2] + s
            s = x[3] + s
            x = ptr8(int(x) + 4)
        while int(x) != end:
            s = x[0] + s
            x = ptr8(int(x) + 1)
        surplus = (s << 7) + sign

        w = ptr8(weights)
        bias = constants
        left = outputs
        while left:
            x = ptr8(row)
            s = (bias[0] ^ sign) - surplus
            while int(x) != sixteens:
                s = (w[0] ^ 128) * x[0] + s
                s = (w[1] ^ 128) * x[1] + s
                s = (w[2] ^ 128) * x[2] + s
                s = (w[3] ^ 128) * x[3] + s
                s = (w[4] ^ 128) * x[4] + s
                s = (w[5] ^ 128) * x[5] + s
                s = (w[6] ^ 128) * x[6] + s
                s = (w[7] ^ 128) * x[7] + s
                s = (w[8] ^ 128) * x[8] + s
                s = (w[9] ^ 128) * x[9] + s
                s = (w[10] ^ 128) * x[10] + s
                s = (w[11] ^ 128) * x[11] + s
                s = (w[12] ^ 128) * x[12] + s
                s = (w[13] ^ 128) * x[13] + s
                s = (w[14] ^ 128) * x[14] + s
                s = (w[15] ^ 128) * x[15] + s
                x = ptr8(int(x) + 16)
                w = ptr8(int(w) + 16)
            while int(x) != fours:
                s = (w[0] ^ 128) * x[0] + s
                s = (w[1] ^ 128) * x[1] + s
                s = (w[2] ^ 128) * x[2] + s
                s = (w[3] ^ 128) * x[3] + s
                x = ptr8(int(x) + 4)
                w = ptr8(int(w) + 4)
            while int(x) != end:
                s = (w[0] ^ 128) * x[0] + s
                x = ptr8(int(x) + 1)
                w = ptr8(int(w) + 1)

            word = bias[rescale]
            s = s >> (word >> 16 & 31)
            if (s + 32768) >> 16:
                s = 32767 if s > 0 else -32768
            s = zero + ((s * (word & 0xFFFF) >> (word >> 24) - 1) + 1 >> 1)
            if s < low:
                s = low
            if s > high:
                s = high
            out[0] = s
            out = ptr8(int(out) + 1)
            bias = ptr32(int(bias) + 4)
            left -= 1
        row = end
        rows -= 1
