# ruff: noqa: F821
"""Convolution of each channel on its own, on integers, in viper."""

import micropython
from micropython import const

# Places in a step's words, as in burnrt.words: an unexported constant costs nothing.
_INPUT = const(0)
_OUTPUT = const(1)
_LOW = const(2)
_HIGH = const(3)
_ZERO = const(4)
_RESCALE = const(5)
_PAD = const(7)
_CHANNELS = const(8)
_HEIGHT = const(9)
_WIDTH = const(10)
_OUT_HEIGHT = const(11)
_OUT_WIDTH = const(12)
_KERNEL = const(13)
_STRIDE = const(15)
_PADDING = const(17)
_DILATION = const(19)


@micropython.viper
def depthwise2d(x: ptr8, s: int, w: ptr8, words: ptr32):
    bias, weights = ptr32(int(w)), s
    low, high, zero = words[_LOW], words[_HIGH], words[_ZERO]
    rescale, pad = words[_RESCALE], words[_PAD]
    height, width, out_width = words[_HEIGHT], words[_WIDTH], words[_OUT_WIDTH]
    rows, run = words[_KERNEL], words[_KERNEL + 1]
    down, across = words[_DILATION], words[_DILATION + 1]
    reach, depth, line = (run - 1) * across, (rows - 1) * down, down * width
    three = 1 if run == 3 and across == 1 else 0
    plane, out = int(x) + words[_INPUT], ptr8(int(x) + words[_OUTPUT])
    sign = 1
    sign = sign << 31  # in one constant it would not fit a small integer of 32 bits

    channels = words[_CHANNELS]
    while channels:
        top = 0 - words[_PADDING]
        out_rows = words[_OUT_HEIGHT]
        while out_rows:
            inside = three if rows == 3 and top >= 0 and top + depth < height else 0
            left = 0 - words[_PADDING + 1]
            out_columns = out_width
            while out_columns:
                whole = 1 if left >= 0 and left + reach < width else 0
                w = ptr8(weights)
                s = (bias[0] ^ sign) - sign
                if inside and whole:
                    x = ptr8(plane + top * width + left)
                    s = ((w[0] ^ 128) - 128) * x[0] + s
                    s = ((w[1] ^ 128) - 128) * x[1] + s
                    s = ((w[2] ^ 128) - 128) * x[2] + s
                    x = ptr8(int(x) + line)
                    s = ((w[3] ^ 128) - 128) * x[0] + s
                    s = ((w[4] ^ 128) - 128) * x[1] + s
                    s = ((w[5] ^ 128) - 128) * x[2] + s
                    x = ptr8(int(x) + line)
                    s = ((w[6] ^ 128) - 128) * x[0] + s
                    s = ((w[7] ^ 128) - 128) * x[1] + s
                    s = ((w[8] ^ 128) - 128) * x[2] + s
                else:
                    # A row of the window is all padding, whole, or cut.
                    y, r = top, rows
                    while r:
                        x = ptr8(plane + y * width + left)
                        end = int(w) + run
                        if uint(y) >= uint(height):
                            while int(w) != end:
                                s = ((w[0] ^ 128) - 128) * pad + s
                                w = ptr8(int(w) + 1)
                        elif whole:
                            while int(w) != end:
                                s = ((w[0] ^ 128) - 128) * x[0] + s
                                x = ptr8(int(x) + across)
                                w = ptr8(int(w) + 1)
                        else:
                            column = left
                            while int(w) != end:
                                tap = pad
                                if uint(column) < uint(width):
                                    tap = x[0]
                                s = ((w[0] ^ 128) - 128) * tap + s
                                column += across
                                x = ptr8(int(x) + across)
                                w = ptr8(int(w) + 1)
                        y += down
                        r -= 1

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
                left += words[_STRIDE + 1]
                out_columns -= 1
            top += words[_STRIDE]
            out_rows -= 1
        plane += height * width
        weights += rows * run
        bias = ptr32(int(bias) + 4)
        channels -= 1
