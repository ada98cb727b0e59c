# ruff: noqa: F821
"""Planes of integers of other sizes, in viper: a line is made of others, then its numbers of those."""

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
_CHANNELS = const(8)
_HEIGHT = const(9)
_WIDTH = const(10)
_OUT_HEIGHT = const(11)
_OUT_WIDTH = const(12)
_KERNEL = const(13)


@micropython.viper
def resample(x: ptr8, s: int, constants: ptr32, words: ptr32):
    low, high, zero = words[_LOW], words[_HIGH], words[_ZERO]
    sign = 1
    sign = sign << 31  # in one constant it would not fit a small integer of 32 bits
    bias, word = (constants[0] ^ sign) - sign, constants[words[_RESCALE]]
    first, factor, last = word >> 16 & 31, word & 0xFFFF, (word >> 24) - 1
    taps = int(constants) + 4 * words[_RESCALE] + 4
    tall, wide, width = words[_KERNEL], words[_KERNEL + 1], words[_WIDTH]
    columns = taps + 4 * tall * words[_OUT_HEIGHT]
    end = columns + 4 * wide * words[_OUT_WIDTH]
    line = ptr32(int(x) + words[_WORK])
    plane, out = int(x) + words[_INPUT], ptr8(int(x) + words[_OUTPUT])
    channels = words[_CHANNELS]
    while channels:
        tap = ptr32(taps)
        while int(tap) != columns:
            s = 0
            left = tall
            while left:
                x = ptr8(plane + (tap[0] >> 9) * width)
                share, stop = tap[0] & 511, int(x) + width
                w = line
                # The first line is written, others are added to it.
                if s:
                    while int(x) != stop:
                        w[0] = x[0] * share + w[0]
                        x = ptr8(int(x) + 1)
                        w = ptr32(int(w) + 4)
                else:
                    s = 1
                    while int(x) != stop:
                        w[0] = x[0] * share
                        x = ptr8(int(x) + 1)
                        w = ptr32(int(w) + 4)
                tap = ptr32(int(tap) + 4)
                left -= 1
            column = ptr32(columns)
            while int(column) != end:
                s = bias
                left = wide
                while left:
                    s = (column[0] & 511) * line[column[0] >> 9] + s
                    column = ptr32(int(column) + 4)
                    left -= 1
                s >>= first
                if (s + 32768) >> 16:
                    s = 32767 if s > 0 else -32768
                s = zero + ((s * factor >> last) + 1 >> 1)
                if s < low:
                    s = low
                if s > high:
                    s = high
                out[0] = s
                out = ptr8(int(out) + 1)
        plane += words[_HEIGHT] * width
        channels -= 1
