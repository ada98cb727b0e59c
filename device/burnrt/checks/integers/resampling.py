"""Steps that make planes of other sizes."""

from burnpack.compat import const
from burnrt.checks.constants import each
from burnrt.checks.integers import PASSES
from burnrt.checks.integers.sums import columns
from burnrt.words import (
    CHANNELS,
    HEIGHT,
    INPUT,
    KERNEL,
    OUT_HEIGHT,
    OUT_WIDTH,
    RESCALE,
    TAP_BITS,
    WIDTH,
)

if False:  # for type checkers
    from burnrt.checks.integers import Needs
    from burnrt.memory import Memory

_SHARE_MOST = const(511)


def _resample(words: list[int], memory: "Memory", start: int) -> "Needs":
    tall, wide, width = words[KERNEL], words[KERNEL + 1], words[WIDTH]
    columns(words, memory, start, 1, 255 * tall * _SHARE_MOST * wide * _SHARE_MOST)
    start += 4 * words[RESCALE] + 4
    count = tall * words[OUT_HEIGHT]
    each(memory, start, count, 0, (words[HEIGHT] << TAP_BITS) - 1, 0)
    each(memory, start + 4 * count, wide * words[OUT_WIDTH], 0, (width << TAP_BITS) - 1, 0)
    reads, writes = words[HEIGHT] * width, words[OUT_HEIGHT] * words[OUT_WIDTH]
    window = PASSES + wide + tall * (width // words[OUT_WIDTH] + 1)
    return words[CHANNELS] * reads, words[CHANNELS] * writes, window, 0, 4 * width, INPUT, False


# WORK and PAD, extents of 15 bits, and of each number so many rows and columns, up to 4.
resample = b"\x30\x10\x1f\x1f\x1f\x1f\x1f\x05\x05", _resample
