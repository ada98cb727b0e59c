# ruff: noqa: F821
"""Sums of products of numbers of 16 bits, in viper: each window is gathered, then summed for each output."""

import micropython
from micropython import const

# Places in a step's words, as in burnrt.words and burnrt.wide_words: an unexported constant costs nothing.
_INPUT = const(0)
_OUTPUT = const(1)
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
_MOST = const(23)
_LOW = const(24)
_HIGH = const(25)
_ZERO = const(26)


@micropython.viper
def wide_conv2d(x: ptr16, s: int, w: ptr8, words: ptr32):
    weights, constants = s, ptr32(int(w))
    low, high, zero = words[_LOW], words[_HIGH], words[_ZERO]
    rescale, pad, most = words[_RESCALE], words[_PAD], words[_MOST]
    height, width, outputs = words[_HEIGHT], words[_WIDTH], words[_OUT_CHANNELS]
    plane_size, out_plane_size = 2 * height * width, 2 * words[_OUT_HEIGHT] * words[_OUT_WIDTH]
    group, place = int(x) + words[_INPUT], int(x) + words[_OUTPUT]
    window, channels, run = int(x) + words[_WORK], words[_CHANNELS], words[_KERNEL + 1]
    size, across = channels * words[_KERNEL] * run, words[_DILATION + 1]
    fours, behind = window + (size & -4) * 2, window + size * 2
    sign = 1
    sign = sign << 31  # in one constant it would not fit a small integer of 32 bits
    groups = words[_GROUPS]
    while groups:
        top = 0 - words[_PADDING]
        end_row = place + out_plane_size
        while place != end_row:
            left = 0 - words[_PADDING + 1]
            out_columns = words[_OUT_WIDTH]
            while out_columns:
                # Gather the window; s is its sum.
                x = ptr16(window)
                total = 0
                plane, c = group, channels
                while c:
                    row, r = top, words[_KERNEL]
                    while r:
                        v = ptr16(plane + 2 * (row * width + left))
                        column, end = left, int(x) + 2 * run
                        inside = 1 if uint(row) < uint(height) else 0
                        while int(x) != end:
                            s = pad
                            if inside and uint(column) < uint(width):
                                s = v[0]
                                if s > most:
                                    s = most
                            x[0] = s
                            total += s
                            column += across
                            v = ptr16(int(v) + 2 * across)
                            x = ptr16(int(x) + 2)
                        row += words[_DILATION]
                        r -= 1
                    plane += plane_size
                    c -= 1
                surplus = (total << 7) + sign

                # Sum it with the weights of each output.
                w = ptr8(weights)
                bias, out = constants, ptr16(place)
                k = outputs
                while k:
                    x = ptr16(window)
                    s = (bias[0] ^ sign) - surplus
                    while int(x) != fours:
                        s = (w[0] ^ 128) * x[0] + s
                        s = (w[1] ^ 128) * x[1] + s
                        s = (w[2] ^ 128) * x[2] + s
                        s = (w[3] ^ 128) * x[3] + s
                        x = ptr16(int(x) + 8)
                        w = ptr8(int(w) + 4)
                    while int(x) != behind:
                        s = (w[0] ^ 128) * x[0] + s
                        x = ptr16(int(x) + 2)
                        w = ptr8(int(w) + 1)
                    word = bias[rescale]
                    s = s >> (word >> 16 & 31)
                    if (s + 1048576) >> 21:
                        s = 1048575 if s > 0 else -1048576
                    factor = word & 0xFFFF
                    s = (s >> 8) * factor + ((s & 255) * factor >> 8)
                    s = zero + ((s >> (word >> 24) - 1) + 1 >> 1)
                    if s < low:
                        s = low
                    if s > high:
                        s = high
                    out[0] = s
                    out = ptr16(int(out) + out_plane_size)
                    bias = ptr32(int(bias) + 4)
                    k -= 1
                place += 2
                left += words[_STRIDE + 1]
                out_columns -= 1
            top += words[_STRIDE]
        place += (outputs - 1) * out_plane_size
        group += channels * plane_size
        weights += outputs * size
        constants = ptr32(int(constants) + 4 * outputs)
        groups -= 1
