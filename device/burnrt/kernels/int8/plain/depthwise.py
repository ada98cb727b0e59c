"""Convolution of each channel on its own, on integers, in plain Python."""

from burnrt.kernels.int8.plain.sums import rescaled
from burnrt.words import (
    CHANNELS,
    DILATION,
    HEIGHT,
    HIGH,
    INPUT,
    KERNEL,
    LOW,
    OUT_HEIGHT,
    OUT_WIDTH,
    OUTPUT,
    PAD,
    PADDING,
    RESCALE,
    STRIDE,
    WIDTH,
    ZERO,
)

if False:  # for type checkers
    from burnpack.types import Buffer
    from burnrt.types import Arena, Words


def depthwise2d(arena: "Arena", weight: "Buffer", constants: "Words", words: "Words") -> None:
    x, out, rescale = words[INPUT], words[OUTPUT], words[RESCALE]
    plane, out_plane = words[HEIGHT] * words[WIDTH], words[OUT_HEIGHT] * words[OUT_WIDTH]
    size, at = words[KERNEL] * words[KERNEL + 1], 0
    for channel in range(words[CHANNELS]):
        _convolve(arena, x, weight, at, constants[channel], constants[channel + rescale], out, words)
        x += plane
        out += out_plane
        at += size


def _convolve(
    arena: "Arena", x: int, weight: "Buffer", at: int, bias: int, word: int, out: int, words: "Words"
) -> None:
    low, high = words[LOW], words[HIGH]
    zero, pad = words[ZERO], words[PAD]
    height, width, out_width = words[HEIGHT], words[WIDTH], words[OUT_WIDTH]
    rows, run = words[KERNEL], words[KERNEL + 1]
    down, across = words[DILATION], words[DILATION + 1]
    vertical, horizontal = words[STRIDE], words[STRIDE + 1]
    top = -words[PADDING]
    for _ in range(words[OUT_HEIGHT]):
        left = -words[PADDING + 1]
        for _ in range(out_width):
            total = _sum(arena, x, weight, at, top, left, height, width, rows, run, down, across, pad)
            arena[out] = rescaled(bias + total, word, zero, low, high)
            out += 1
            left += horizontal
        top += vertical


def _sum(
    arena: "Arena",
    x: int,
    weight: "Buffer",
    at: int,
    top: int,
    left: int,
    height: int,
    width: int,
    rows: int,
    run: int,
    down: int,
    across: int,
    pad: int,
) -> int:
    """Return the sum of products of one window."""
    whole = left >= 0 and left + (run - 1) * across < width
    total = 0
    for _ in range(rows):
        inside = 0 <= top < height
        place = x + top * width + left
        if inside and whole:
            for tap in range(at, at + run):
                total += ((weight[tap] ^ 128) - 128) * arena[place]
                place += across
        else:
            column = left
            for tap in range(at, at + run):
                value = arena[place] if inside and 0 <= column < width else pad
                total += ((weight[tap] ^ 128) - 128) * value
                place += across
                column += across
        at += run
        top += down
    return total
