"""Planes of integers of other sizes, in plain Python."""

from burnrt.kernels.int8.plain.sums import rescaled
from burnrt.words import (
    CHANNELS,
    HEIGHT,
    HIGH,
    INPUT,
    KERNEL,
    LOW,
    OUT_HEIGHT,
    OUT_WIDTH,
    OUTPUT,
    RESCALE,
    WIDTH,
    ZERO,
)

if False:  # for type checkers
    from burnpack.types import Buffer
    from burnrt.types import Arena, Words


def resample(arena: "Arena", weight: "Buffer", constants: "Words", words: "Words") -> None:
    low, high, zero = words[LOW], words[HIGH], words[ZERO]
    rescale = words[RESCALE]
    tall, wide, width = words[KERNEL], words[KERNEL + 1], words[WIDTH]
    columns = rescale + 1 + tall * words[OUT_HEIGHT]
    end = columns + wide * words[OUT_WIDTH]
    plane, out = words[INPUT], words[OUTPUT]
    for _ in range(words[CHANNELS]):
        row = rescale + 1
        while row < columns:
            column = columns
            while column < end:
                total = constants[0]
                for down in range(row, row + tall):
                    line = plane + (constants[down] >> 9) * width
                    total += (constants[down] & 511) * _across(arena, line, constants, column, column + wide)
                arena[out] = rescaled(total, constants[rescale], zero, low, high)
                out += 1
                column += wide
            row += tall
        plane += words[HEIGHT] * width


def _across(arena: "Arena", line: int, constants: "Words", first: int, end: int) -> int:
    """Return the sum of the numbers of a line that constants name, each times its weight."""
    total = 0
    for place in range(first, end):
        total += (constants[place] & 511) * arena[line + (constants[place] >> 9)]
    return total
