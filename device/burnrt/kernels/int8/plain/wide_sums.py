"""Sums of products of numbers of 16 bits, in plain Python: a window is gathered, then summed."""

from burnrt.wide_words import SUMS_HIGH, SUMS_LOW, SUMS_MOST, SUMS_ZERO
from burnrt.words import (
    CHANNELS,
    DILATION,
    GROUPS,
    HEIGHT,
    INPUT,
    KERNEL,
    OUT_CHANNELS,
    OUT_HEIGHT,
    OUT_WIDTH,
    OUTPUT,
    PAD,
    PADDING,
    RESCALE,
    STRIDE,
    WIDTH,
    WORK,
)

if False:  # for type checkers
    from burnpack.types import Buffer
    from burnrt.types import Arena, Words


def rescaled(total: int, word: int, zero: int, low: int, high: int) -> int:
    """Return what goes out of a sum, in 16 bits, with the rescaling word `word`."""
    total >>= word >> 16 & 31
    if total > 1048575:
        total = 1048575
    elif total < -1048576:
        total = -1048576
    factor, bits = word & 0xFFFF, word >> 24
    total = (total >> 8) * factor + ((total & 255) * factor >> 8)
    total = zero + (total + (1 << bits - 1) >> bits)
    if total < low:
        return low
    return high if total > high else total


def wide_conv2d(arena: "Arena", weight: "Buffer", constants: "Words", words: "Words") -> None:
    plane, out_plane = words[HEIGHT] * words[WIDTH], words[OUT_HEIGHT] * words[OUT_WIDTH]
    channels, outputs = words[CHANNELS], words[OUT_CHANNELS]
    x, out = words[INPUT], words[OUTPUT]
    at = first = 0
    for _ in range(words[GROUPS]):
        top, place = -words[PADDING], out
        for _ in range(words[OUT_HEIGHT]):
            left = -words[PADDING + 1]
            for _ in range(words[OUT_WIDTH]):
                _gather(arena, x, top, left, words)
                _sum(arena, weight, at, constants, first, place, 2 * out_plane, words)
                place += 2
                left += words[STRIDE + 1]
            top += words[STRIDE]
        x += 2 * channels * plane
        out += 2 * outputs * out_plane
        at += outputs * channels * words[KERNEL] * words[KERNEL + 1]
        first += outputs


def _gather(arena: "Arena", x: int, top: int, left: int, words: "Words") -> None:
    """Copy a window to WORK, cut to SUMS_MOST."""
    height, width, pad = words[HEIGHT], words[WIDTH], words[PAD]
    most, to = words[SUMS_MOST], words[WORK]
    for _ in range(words[CHANNELS]):
        row = top
        for _ in range(words[KERNEL]):
            column = left
            for _ in range(words[KERNEL + 1]):
                value = pad
                if 0 <= row < height and 0 <= column < width:
                    at = x + 2 * (row * width + column)
                    value = arena[at] | arena[at + 1] << 8
                    if value > most:
                        value = most
                arena[to] = value & 255
                arena[to + 1] = value >> 8
                to += 2
                column += words[DILATION + 1]
            row += words[DILATION]
        x += 2 * height * width


def _sum(
    arena: "Arena",
    weight: "Buffer",
    at: int,
    constants: "Words",
    first: int,
    out: int,
    step: int,
    words: "Words",
) -> None:
    """Write the outputs of a window. at: of the weights. first: the first output's number in `constants`.

    out, step: the place of the first in the arena, and from one to the next.
    """
    work, rescale = words[WORK], words[RESCALE]
    end = work + 2 * words[CHANNELS] * words[KERNEL] * words[KERNEL + 1]
    low, high, zero = words[SUMS_LOW], words[SUMS_HIGH], words[SUMS_ZERO]
    for number in range(first, first + words[OUT_CHANNELS]):
        total = constants[number]
        for place in range(work, end, 2):
            total += ((weight[at] ^ 128) - 128) * (arena[place] | arena[place + 1] << 8)
            at += 1
        total = rescaled(total, constants[number + rescale], zero, low, high)
        arena[out] = total & 255
        arena[out + 1] = total >> 8
        out += step
