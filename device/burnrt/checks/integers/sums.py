"""Steps that add up: dense layers, convolutions and pools."""

from burnpack.compat import const
from burnrt.checks.constants import each
from burnrt.checks.holding import hold
from burnrt.checks.integers import BEFORE, SUM_MOST
from burnrt.checks.windows import meet
from burnrt.words import (
    CELLS,
    CHANNELS,
    GROUPS,
    HEIGHT,
    INPUT,
    INPUTS,
    OUT_CHANNELS,
    OUTPUTS,
    PAIRS,
    RESCALE,
    ROWS,
)

if False:  # for type checkers
    from burnrt.checks.integers import Needs
    from burnrt.memory import Memory

# WORK PAD, then extents to STRIDE, PADDING and DILATION: 15 bits, so that two multiplied still fit.
_WINDOWS = b"\x30\x10\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1e\x1e\x1f\x1f"

_PRODUCT_MOST = const(255 * 128)  # of a number and a weight
_GAP_MOST = const(64)  # words between biases and rescaling words
# Rescaling words: shifts of 0 to 31 and of 1 to 30, and a factor of 14 bits.
_RESCALE_LEAST = const(1 << 24)
_RESCALE_MOST = const((31 << 24) - 1)
_RESCALE_ZEROS = const(0xE0C000)


def _dense(words: list[int], memory: "Memory", start: int) -> "Needs":
    return _sums(words, memory, start, 0, 1, words[INPUTS], words[OUTPUTS], words[ROWS], words[ROWS], 1)


def _conv(words: list[int], memory: "Memory", start: int) -> "Needs":
    groups, outputs = words[GROUPS], words[OUT_CHANNELS]
    scratch = 8 + 16 * words[PAIRS]  # of `work_size`, for four numbers
    return _sums(words, memory, start, scratch, groups, words[CHANNELS], outputs, *_planes(words))


def _depthwise(words: list[int], memory: "Memory", start: int) -> "Needs":
    return _sums(words, memory, start, 0, words[CHANNELS], 1, 1, *_planes(words))


def _sums(
    words: list[int],
    memory: "Memory",
    start: int,
    scratch: int,
    groups: int,
    channels: int,
    outputs: int,
    plane: int,
    out_plane: int,
    window: int,
) -> "Needs":
    """Return what sums of products take. scratch: bytes for four numbers. channels, outputs: of a group."""
    window *= channels
    outputs *= groups
    scratch *= (window + 3) // 4
    columns(words, memory, start, outputs, window * _PRODUCT_MOST)
    return groups * channels * plane, outputs * out_plane, window, outputs * window, scratch, INPUT, False


def columns(words: list[int], memory: "Memory", start: int, count: int, products: int) -> None:
    """Refuse biases and rescaling words that a sum would overflow by. products: the largest sum without."""
    most = SUM_MOST - products
    hold(BEFORE + RESCALE, words[RESCALE], count, count + _GAP_MOST)
    each(memory, start, count, -most, most, 0)
    each(memory, start + 4 * words[RESCALE], count, _RESCALE_LEAST, _RESCALE_MOST, _RESCALE_ZEROS)


def _planes(words: list[int]) -> tuple[int, int, int]:
    """Return the numbers in a plane that comes in, in one that goes out, and in a window."""
    height, width, rows, columns, tall, wide, down, right, top, left, below, beside = words[HEIGHT:GROUPS]
    meet(height, rows, tall, down, top, below)
    meet(width, columns, wide, right, left, beside)
    return height * width, rows * columns, tall * wide


def _pool(words: list[int], memory: "Memory", start: int) -> "Needs":
    plane, out_plane, window = _planes(words)
    return words[CHANNELS] * plane, words[CHANNELS] * out_plane, window, 0, 0, INPUT, False


def _mean(words: list[int], memory: "Memory", start: int) -> "Needs":
    needs = _pool(words, memory, start)
    if words[CELLS] != 1:
        hold(BEFORE + CELLS, words[CELLS] * words[CHANNELS], needs[1], needs[1])
    columns(words, memory, start, words[CELLS], needs[2] * 255)
    return needs


linear = b"\x1f\x1f\x1f", _dense
conv2d = _WINDOWS + b"\x1f\x1f\x09", _conv
depthwise2d = _WINDOWS, _depthwise
max_pool2d = _WINDOWS, _pool
avg_pool2d = _WINDOWS + b"\0", _mean
