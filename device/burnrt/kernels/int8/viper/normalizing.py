# ruff: noqa: F821
"""Rows of integers normalised by their own mean and variance, in viper."""

import micropython
from micropython import const

# Places in a step's words, as in burnrt.words: an unexported constant costs nothing.
_INPUT = const(0)
_OUTPUT = const(1)
_LOW = const(2)
_HIGH = const(3)
_CENTER = const(5)
_ROWS = const(6)
_SIZE = const(7)
_INNER = const(8)
_NEXT = const(9)
_SHIFT = const(10)
_MEAN_BITS = const(11)
_VARIANCE_BITS = const(12)
_EPSILON = const(13)


@micropython.viper
def normalize(x: ptr8, s: int, constants: ptr32, words: ptr32):
    low, high, last = words[_LOW], words[_HIGH], words[_SHIFT]
    bits, more = words[_MEAN_BITS], words[_VARIANCE_BITS]
    count = words[_SIZE] * words[_INNER]
    row, out = int(x) + words[_INPUT], ptr8(int(x) + words[_OUTPUT])
    sign = 1
    sign = sign << 31  # in one constant it would not fit a small integer of 32 bits
    first = int(constants)
    rows = words[_ROWS]
    while rows:
        x, s = ptr8(row), 0
        m = 0
        end = row + count
        while int(x) != end:
            s = x[0] + s
            m = x[0] * x[0] + m
            x = ptr8(int(x) + 1)

        middle, mean, correction = words[_CENTER], words[_CENTER] << bits, 0
        if middle == 256:
            mean = ((s << bits) + (count >> 1)) // count
            middle = mean + (1 << bits - 1) >> bits
            correction = (s - count * middle) * (mean - (middle << bits)) >> bits - more
        m = (m - middle * (2 * s - count * middle) << more) - correction + words[_EPSILON]
        shift = 14 - (more >> 1)
        while m < 8192:
            m <<= 2
            shift -= 1
        while m >= 32768:
            m >>= 2
            shift += 1
        y = 34898 - (m * 39 >> 6)
        y = y * (49152 - ((y * y >> 14) * m >> 15) >> 1) >> 14
        y = y * (49152 - ((y * y >> 14) * m >> 15) >> 1) >> 14
        y = y * (49152 - ((y * y >> 14) * m >> 15) >> 1) >> 14
        bias = (1 << shift - 1) - (mean >> bits - 7) * y
        factor = y << 7

        pair = ptr32(first)
        x = ptr8(row)
        pairs = words[_SIZE]
        while pairs:
            gain, offset = (pair[0] ^ sign) - sign, (pair[1] ^ sign) - sign
            end = int(x) + words[_INNER]
            while int(x) != end:
                s = x[0] * factor + bias >> shift
                s = s * gain + offset >> last
                if s < low:
                    s = low
                if s > high:
                    s = high
                out[0] = s
                out = ptr8(int(out) + 1)
                x = ptr8(int(x) + 1)
            pair = ptr32(int(pair) + 8)
            pairs -= 1
        row += count
        first += 8 * words[_NEXT]
        rows -= 1
