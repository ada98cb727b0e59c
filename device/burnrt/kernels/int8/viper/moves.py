# ruff: noqa: F821
"""Moving integers, in viper."""

import micropython
from micropython import const

# Places in a step's words, as in burnrt.words: an unexported constant costs nothing.
_INPUT = const(0)
_OUTPUT = const(1)
_SOURCE = const(5)
_FIRST = const(6)
_INTO = const(7)
_EXTENTS = const(9)
_STEPS = const(14)
_OUT_STEPS = const(19)
_COUNT = const(6)
_PAD = const(7)


@micropython.viper
def copy(x: ptr8, w: ptr8, constants, words: ptr32):
    sign = 1
    sign = sign << 31  # in one constant it would not fit a small integer of 32 bits
    source = words[_SOURCE]
    row, to = int(x) + words[_INPUT] + words[_FIRST], int(x) + words[_OUTPUT] + words[_INTO]
    if source == 2:
        row = int(w) + words[_FIRST]
    step, out_step = (words[_STEPS + 4] ^ sign) - sign, words[_OUT_STEPS + 4]
    size, row_step = words[_EXTENTS + 4] * out_step, (words[_STEPS + 3] ^ sign) - sign
    first = words[_EXTENTS]
    while first:
        first_row, first_to = row, to
        second = words[_EXTENTS + 1]
        while second:
            second_row, second_to = row, to
            third = words[_EXTENTS + 2]
            while third:
                third_row, third_to = row, to
                fourth = words[_EXTENTS + 3]
                while fourth:
                    x, out, end = ptr8(row), ptr8(to), to + size
                    if source == 1:
                        while int(out) != end:
                            out[0] = w[x[0]]
                            x = ptr8(int(x) + step)
                            out = ptr8(int(out) + out_step)
                    else:
                        while int(out) != end:
                            out[0] = x[0]
                            x = ptr8(int(x) + step)
                            out = ptr8(int(out) + out_step)
                    row += row_step
                    to += words[_OUT_STEPS + 3]
                    fourth -= 1
                row = third_row + ((words[_STEPS + 2] ^ sign) - sign)
                to = third_to + words[_OUT_STEPS + 2]
                third -= 1
            row = second_row + ((words[_STEPS + 1] ^ sign) - sign)
            to = second_to + words[_OUT_STEPS + 1]
            second -= 1
        row = first_row + ((words[_STEPS] ^ sign) - sign)
        to = first_to + words[_OUT_STEPS]
        first -= 1


@micropython.viper
def fill(x: ptr8, s: int, constants, words: ptr32):
    s = words[_PAD]
    x = ptr8(int(x) + words[_OUTPUT])
    end = int(x) + words[_COUNT]
    while int(x) != end:
        x[0] = s
        x = ptr8(int(x) + 1)
