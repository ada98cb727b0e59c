# ruff: noqa: F821
"""Convolution on integers, in viper: each window is gathered, then summed with the weights of each output."""

import micropython
from micropython import const

# Places in a step's words, as in burnrt.words: an unexported constant costs nothing.
_INPUT = const(0)
_OUTPUT = const(1)
_LOW = const(2)
_HIGH = const(3)
_ZERO = const(4)
_RESCALE = const(5)
_WORK = const(6)
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
_GROUPS = const(21)
_OUT_CHANNELS = const(22)


@micropython.viper
def conv2d(x: ptr8, s: int, w: ptr8, words: ptr32):
    weights, constants = s, ptr32(int(w))
    low, high, zero = words[_LOW], words[_HIGH], words[_ZERO]
    rescale, pad, outputs = words[_RESCALE], words[_PAD], words[_OUT_CHANNELS]
    height, width, out_width = words[_HEIGHT], words[_WIDTH], words[_OUT_WIDTH]
    plane_size, out_plane_size = height * width, words[_OUT_HEIGHT] * out_width
    group, out_group = int(x) + words[_INPUT], int(x) + words[_OUTPUT]
    sign = 1
    sign = sign << 31  # in one constant it would not fit a small integer of 32 bits

    # A window is gathered in runs: along the rows of the kernel or, where it is a single place, along the
    # channels.
    channels, rows, run = words[_CHANNELS], words[_KERNEL], words[_KERNEL + 1]
    down, across = words[_DILATION], words[_DILATION + 1]
    size, step, reach = channels * rows * run, across, (run - 1) * across
    if rows * run == 1:
        run, step, across = channels, plane_size, 0
        channels = 1
    three = 1 if run == 3 and step == 1 else 0

    # Zeros behind the window, up to a multiple of 4, let sums of fours go past its end.
    window = int(x) + words[_WORK]
    sixteens, fours = window + (size & -16), window + (size + 3 & -4)
    excess = fours - window - size
    x = ptr8(window + size)
    while int(x) != fours:
        x[0] = 0
        x = ptr8(int(x) + 1)

    groups = words[_GROUPS]
    while groups:
        place = out_group
        top = 0 - words[_PADDING]
        out_rows = words[_OUT_HEIGHT]
        while out_rows:
            left = 0 - words[_PADDING + 1]
            out_columns = out_width
            while out_columns:
                # Gather the window; s is its sum. A row of it is all padding, whole, or cut.
                whole = 1 if left >= 0 and left + reach < width else 0
                x = ptr8(window)
                s = 0
                plane, c = group, channels
                while c:
                    y, r = top, rows
                    while r:
                        w = ptr8(plane + y * width + left)
                        end = int(x) + run
                        if uint(y) >= uint(height):
                            while int(x) != end:
                                x[0] = pad
                                x = ptr8(int(x) + 1)
                            s = run * pad + s
                        elif whole:
                            if three:
                                x[0] = w[0]
                                x[1] = w[1]
                                x[2] = w[2]
                                s = x[0] + s
                                s = x[1] + s
                                s = x[2] + s
                                x = ptr8(end)
                            while int(x) != end:
                                x[0] = w[0]
                                s = x[0] + s
                                w = ptr8(int(w) + step)
                                x = ptr8(int(x) + 1)
                        else:
                            column = left
                            while int(x) != end:
                                x[0] = pad
                                if uint(column) < uint(width):
                                    x[0] = w[0]
                                s = x[0] + s
                                column += across
                                w = ptr8(int(w) + step)
                                x = ptr8(int(x) + 1)
                        y += down
                        r -= 1
                    plane += plane_size
                    c -= 1
                surplus = (s << 7) + sign

                # Sum it with the weights of each output.
                w = ptr8(weights)
                bias, out = constants, ptr8(place)
                k = outputs
                while k:
                    x = ptr8(window)
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
                    w = ptr8(int(w) - excess)

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
                    out = ptr8(int(out) + out_plane_size)
                    bias = ptr32(int(bias) + 4)
                    k -= 1

                place += 1
                left += words[_STRIDE + 1]
                out_columns -= 1
            top += words[_STRIDE]
            out_rows -= 1
        group += words[_CHANNELS] * plane_size
        out_group += outputs * out_plane_size
        weights += outputs * size
        constants = ptr32(int(constants) + 4 * outputs)
        groups -= 1
