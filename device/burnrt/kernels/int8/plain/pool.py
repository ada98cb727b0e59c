"""Pooling of integers, in plain Python. Of a window, only the places inside the input are walked over."""

from burnrt.kernels.int8.plain.sums import rescaled
from burnrt.words import (
    CELLS,
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
    PADDING,
    RESCALE,
    STRIDE,
    WIDTH,
    ZERO,
)

if False:  # for type checkers
    from collections.abc import Callable

    from burnpack.types import Buffer
    from burnrt.types import Arena, Words


def max_pool2d(arena: "Arena", weight: "Buffer", constants: "Words", words: "Words") -> None:
    _pool(arena, constants, words, _largest)


def avg_pool2d(arena: "Arena", weight: "Buffer", constants: "Words", words: "Words") -> None:
    _pool(arena, constants, words, _mean if words[CELLS] == 1 else _mean_of_cell)


def _pool(arena: "Arena", constants: "Words", words: "Words", take: "Callable[..., int]") -> None:
    x, out = words[INPUT], words[OUTPUT]
    plane, out_plane = words[HEIGHT] * words[WIDTH], words[OUT_HEIGHT] * words[OUT_WIDTH]
    for _ in range(words[CHANNELS]):
        _pool_plane(arena, x, out, constants, words, take)
        x += plane
        out += out_plane


def _pool_plane(
    arena: "Arena", x: int, out: int, constants: "Words", words: "Words", take: "Callable[..., int]"
) -> None:
    height, width, out_width = words[HEIGHT], words[WIDTH], words[OUT_WIDTH]
    down, across = words[DILATION], words[DILATION + 1]
    deep, wide = words[KERNEL] * down, words[KERNEL + 1] * across
    top = -words[PADDING]
    cell = 0
    for _ in range(words[OUT_HEIGHT]):
        row = x + (top if top >= 0 else top % down) * width
        end = x + (top + deep if top + deep < height else height) * width
        left = -words[PADDING + 1]
        for _ in range(out_width):
            start = left if left >= 0 else left % across
            stop = left + wide if left + wide < width else width
            arena[out] = take(arena, row, end, down * width, start, stop, across, constants, cell, words)
            out += 1
            cell += 1
            left += words[STRIDE + 1]
        top += words[STRIDE]


def _largest(
    arena: "Arena",
    row: int,
    end: int,
    line: int,
    start: int,
    stop: int,
    across: int,
    constants: "Words",
    cell: int,
    words: "Words",
) -> int:
    largest = 0
    while row < end:
        place = row + start
        last = row + stop
        while place < last:
            if arena[place] > largest:
                largest = arena[place]
            place += across
        row += line
    return largest


def _mean_of_cell(
    arena: "Arena",
    row: int,
    end: int,
    line: int,
    start: int,
    stop: int,
    across: int,
    constants: "Words",
    cell: int,
    words: "Words",
) -> int:
    total = constants[cell]
    while row < end:
        place = row + start
        last = row + stop
        while place < last:
            total += arena[place]
            place += across
        row += line
    return rescaled(total, constants[cell + words[RESCALE]], words[ZERO], words[LOW], words[HIGH])


def _mean(
    arena: "Arena",
    row: int,
    end: int,
    line: int,
    start: int,
    stop: int,
    across: int,
    constants: "Words",
    cell: int,
    words: "Words",
) -> int:
    return _mean_of_cell(arena, row, end, line, start, stop, across, constants, 0, words)
