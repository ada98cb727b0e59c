"""Convolution on integers, in plain Python: a window is gathered, then summed with each output's weights."""

from burnrt.kernels.int8.plain.sums import sums
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
    STRIDE,
    WIDTH,
    WORK,
)

if False:  # for type checkers
    from burnpack.types import Buffer
    from burnrt.types import Arena, Words


def conv2d(arena: "Arena", weight: "Buffer", constants: "Words", words: "Words") -> None:
    channels, outputs = words[CHANNELS], words[OUT_CHANNELS]
    plane, out_plane = words[HEIGHT] * words[WIDTH], words[OUT_HEIGHT] * words[OUT_WIDTH]
    size = channels * words[KERNEL] * words[KERNEL + 1]
    x, out = words[INPUT], words[OUTPUT]
    at = first = 0
    for _ in range(words[GROUPS]):
        _convolve(arena, x, channels, size, weight, at, constants, first, outputs, out, out_plane, words)
        x += channels * plane
        out += outputs * out_plane
        at += outputs * size
        first += outputs


def _convolve(
    arena: "Arena",
    x: int,
    channels: int,
    size: int,
    weight: "Buffer",
    at: int,
    constants: "Words",
    first: int,
    outputs: int,
    out: int,
    out_plane: int,
    words: "Words",
) -> None:
    height, width, out_width = words[HEIGHT], words[WIDTH], words[OUT_WIDTH]
    rows, run = words[KERNEL], words[KERNEL + 1]
    down, across = words[DILATION], words[DILATION + 1]
    window, pad = words[WORK], words[PAD]
    vertical, horizontal = words[STRIDE], words[STRIDE + 1]
    top = -words[PADDING]
    for _ in range(words[OUT_HEIGHT]):
        left = -words[PADDING + 1]
        for _ in range(out_width):
            total = _gather(
                arena, x, channels, top, left, height, width, rows, run, down, across, pad, window
            )
            sums(arena, window, size, total, weight, at, constants, first, outputs, out, out_plane, words)
            out += 1
            left += horizontal
        top += vertical


def _gather(
    arena: "Arena",
    x: int,
    channels: int,
    top: int,
    left: int,
    height: int,
    width: int,
    rows: int,
    run: int,
    down: int,
    across: int,
    pad: int,
    to: int,
) -> int:
    """Copy a window to the place `to` of the arena, and return the sum of its numbers."""
    whole = left >= 0 and left + (run - 1) * across < width
    total = 0
    for _ in range(channels):
        y = top
        for _ in range(rows):
            end = to + run
            inside = 0 <= y < height
            at = x + y * width + left
            if inside and whole:
                while to < end:
                    value = arena[at]
                    arena[to] = value
                    total += value
                    at += across
                    to += 1
            else:
                column = left
                while to < end:
                    value = arena[at] if inside and 0 <= column < width else pad
                    arena[to] = value
                    total += value
                    at += across
                    column += across
                    to += 1
            y += down
        x += height * width
    return total
