# ruff: noqa: F821
"""Pooling of integers, in viper. Of a window, only the places inside the input are walked over."""

import micropython
from micropython import const

# Places in a step's words, as in burnrt.words: an unexported constant costs nothing.
_INPUT = const(0)
_OUTPUT = const(1)
_LOW = const(2)
_HIGH = const(3)
_ZERO = const(4)
_RESCALE = const(5)
_CHANNELS = const(8)
_HEIGHT = const(9)
_WIDTH = const(10)
_OUT_HEIGHT = const(11)
_OUT_WIDTH = const(12)
_KERNEL = const(13)
_STRIDE = const(15)
_PADDING = const(17)
_DILATION = const(19)
_CELLS = const(21)


@micropython.viper
def max_pool2d(x: ptr8, s: int, constants, words: ptr32):
    height, width, out_width = words[_HEIGHT], words[_WIDTH], words[_OUT_WIDTH]
    down, across = words[_DILATION], words[_DILATION + 1]
    deep, wide, line = words[_KERNEL] * down, words[_KERNEL + 1] * across, width * down
    plane, out = int(x) + words[_INPUT], ptr8(int(x) + words[_OUTPUT])
    channels = words[_CHANNELS]
    while channels:
        top = 0 - words[_PADDING]
        out_rows = words[_OUT_HEIGHT]
        while out_rows:
            first, last = top, top + deep
            while first < 0:
                first += down
            while last - down >= height:
                last -= down
            left = 0 - words[_PADDING + 1]
            out_columns = out_width
            while out_columns:
                start, stop = left, left + wide
                while start < 0:
                    start += across
                while stop - across >= width:
                    stop -= across
                s = 0
                row, end = plane + first * width + start, plane + last * width + start
                while row != end:
                    x = ptr8(row)
                    row += stop - start
                    while int(x) != row:
                        if x[0] > s:
                            s = x[0]
                        x = ptr8(int(x) + across)
                    row += start + line - stop
                out[0] = s
                out = ptr8(int(out) + 1)
                left += words[_STRIDE + 1]
                out_columns -= 1
            top += words[_STRIDE]
            out_rows -= 1
        plane += height * width
        channels -= 1


@micropython.viper
def avg_pool2d(x: ptr8, s: int, constants: ptr32, words: ptr32):
    low, high, zero = words[_LOW], words[_HIGH], words[_ZERO]
    rescale = words[_RESCALE]
    next_cell = 0 if words[_CELLS] == 1 else 4  # bytes from the constants of one window to those of the next
    sign = 1
    sign = sign << 31  # in one constant it would not fit a small integer of 32 bits
    height, width, out_width = words[_HEIGHT], words[_WIDTH], words[_OUT_WIDTH]
    down, across = words[_DILATION], words[_DILATION + 1]
    deep, wide, line = words[_KERNEL] * down, words[_KERNEL + 1] * across, width * down
    plane, out = int(x) + words[_INPUT], ptr8(int(x) + words[_OUTPUT])
    channels = words[_CHANNELS]
    while channels:
        top = 0 - words[_PADDING]
        out_rows = words[_OUT_HEIGHT]
        bias = constants
        while out_rows:
            first, last = top, top + deep
            while first < 0:
                first += down
            while last - down >= height:
                last -= down
            left = 0 - words[_PADDING + 1]
            out_columns = out_width
            while out_columns:
                start, stop = left, left + wide
                while start < 0:
                    start += across
                while stop - across >= width:
                    stop -= across
                s = 0
                row, end = plane + first * width + start, plane + last * width + start
                while row != end:
                    x = ptr8(row)
                    row += stop - start
                    while int(x) != row:
                        s = x[0] + s
                        x = ptr8(int(x) + across)
                    row += start + line - stop

                word = bias[rescale]
                s = (bias[0] ^ sign) - sign + s >> (word >> 16 & 31)
                if (s + 32768) >> 16:
                    s = 32767 if s > 0 else -32768
                s = zero + ((s * (word & 0xFFFF) >> (word >> 24) - 1) + 1 >> 1)
                if s < low:
                    s = low
                if s > high:
                    s = high
                out[0] = s
                out = ptr8(int(out) + 1)
                bias = ptr32(int(bias) + next_cell)
                left += words[_STRIDE + 1]
                out_columns -= 1
            top += words[_STRIDE]
            out_rows -= 1
        plane += height * width
        channels -= 1
