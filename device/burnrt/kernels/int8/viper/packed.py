# ruff: noqa: F821
"""The dense layer on integers with weights of 4 bits, in viper: one multiplication makes two products.

Two weights w0 + w4 × 2^16 by two numbers x4 + x0 × 2^16: bits 16 to 31 of the product are
w0 × x0 + w4 × x4, and what is below them, w0 × x4, carries nothing, as weights have no sign here: with its
highest bit turned, one is 8 too large. Of eight weights the sum of all such products fits 32 bits.
"""

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
_INPUTS = const(7)
_OUTPUTS = const(8)
_PLACES = const(9)
_PLANAR = const(10)


@micropython.viper
def linear4(x: ptr32, s: int, w: ptr32, words: ptr32):
    weights, constants = s, int(w)
    low, high, zero = words[_LOW], words[_HIGH], words[_ZERO]
    rescale, inputs, places = words[_RESCALE], words[_INPUTS], words[_PLACES]
    first, row, numbers = int(x) + words[_INPUT], int(x) + words[_OUTPUT], int(x) + words[_WORK]
    step = out_step = 1
    to_next, to_next_out = inputs, words[_OUTPUTS]
    if words[_PLANAR]:
        step = out_step = places
        to_next = to_next_out = 1
    end = numbers + ((inputs + 7 >> 3) << 4)
    mask = 0xF000F
    turned = 0x8888
    turned = turned << 16 | turned  # in one constant it would not fit a small integer of 32 bits
    sign = 1
    sign = sign << 31
    # What is behind the last numbers counts nothing.
    x = ptr32(end - 16)
    x[0] = 0
    x[1] = 0
    x[2] = 0
    x[3] = 0
    while places:
        # Gather the numbers of the place, two to a word; s is their sum.
        number, halves = ptr8(first), ptr16(numbers)
        s = 0
        at = 0
        while at < inputs:
            halves[at & -8 | (at & 3) << 1 | at >> 2 & 1 ^ 1] = number[0]
            s = number[0] + s
            number = ptr8(int(number) + step)
            at += 1
        surplus = (s << 3) + sign

        w, bias, out = ptr32(weights), ptr32(constants), ptr8(row)
        left = words[_OUTPUTS]
        while left:
            total = (bias[0] ^ sign) - surplus
            x = ptr32(numbers)
            while int(x) != end:
                eight = w[0] ^ turned
                s = (eight & mask) * x[0]
                s = (eight >> 4 & mask) * x[1] + s
                s = (eight >> 8 & mask) * x[2] + s
                s = (eight >> 12 & mask) * x[3] + s
                total = (s >> 16 & 0xFFFF) + total
                x = ptr32(int(x) + 16)
                w = ptr32(int(w) + 4)

            s, word = total, bias[rescale]
            s = s >> (word >> 16 & 31)
            if (s + 32768) >> 16:
                s = 32767 if s > 0 else -32768
            s = zero + ((s * (word & 0xFFFF) >> (word >> 24) - 1) + 1 >> 1)
            if s < low:
                s = low
            if s > high:
                s = high
            out[0] = s
            out = ptr8(int(out) + out_step)
            bias = ptr32(int(bias) + 4)
            left -= 1
        first += to_next
        row += to_next_out
        places -= 1
