"""What the words of a step of integers must be, and what follows from them.

A kernel asks nothing: it reads and writes where its words say. So each word is held to its range here. Numbers stay
small enough for the smallest integers of MicroPython, 31 bits with their sign.

Each function is for the kernel of its name. item: what errors call the step. words: of the step, see `burnrt.words`.
It returns a tuple of what the step takes:

    in_place   whether OUTPUT may be where the numbers are that it reads
    other      the word that says where the second of these are, or again INPUT
    reads      bytes at INPUT, and at the other place
    writes     bytes at OUTPUT
    window     how many numbers go into one of these
    scratch    bytes at WORK, or 0
    weight     bytes
    constants  rows (first word, how many, least, most, bits that are 0 in each): what the constants must be
"""

from burnpack.compat import const
from burnrt.refusal import hold, refuse
from burnrt.words import (
    BIAS,
    CELLS,
    CHANNELS,
    COUNT,
    DILATION,
    FIRST_FACTOR,
    GROUPS,
    HEIGHT,
    HIGH,
    INPUT,
    INPUTS,
    KERNEL,
    LOW,
    OTHER,
    OUT_CHANNELS,
    OUT_HEIGHT,
    OUTPUTS,
    PADDING,
    RESCALE,
    ROWS,
    SECOND_FACTOR,
    SHIFT,
    SIZE,
    STRIDE,
)

if False:  # for type checkers
    from typing import TypeAlias

    from burnrt.types import Words

    Row: TypeAlias = tuple[int, int, int, int, int]
    Rows: TypeAlias = tuple[Row, ...]
    Needs: TypeAlias = tuple[bool, int, int, int, int, int, int, Rows]

# The kinds of words: twice the bits that a word may have, and 1 more where it may not be 0. Of kind 0 all may be.
_START = b"\x30\x30\x10\x10\x10\x30"  # INPUT OUTPUT LOW HIGH ZERO, and RESCALE or OTHER
_WINDOWS = b"\x30\x10\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1e\x1e\x1f\x1f"  # WORK to DILATION
_EXTENT = b"\x1f"  # two of them multiplied still fit
_COUNT = b"\x31"

_SUM_MOST = const((1 << 30) - 1)
_GAP_MOST = const(64)  # words between biases and rescaling words: tensors begin at multiples of so many
_JUMPS_MOST = const(4095)  # windows that are looked at one by one
_PASSES = const(8)  # what a number costs that is no part of a sum, in products
# Rescaling words: shifts of 0 to 31 and of 1 to 30, and a factor of 14 bits.
_RESCALE_LEAST = const(1 << 24)
_RESCALE_MOST = const((31 << 24) - 1)
_RESCALE_ZEROS = const(0xE0C000)


def linear(item: str, words: "Words") -> "Needs":
    _check(item, words, _EXTENT * 3)
    return _sums(item, words, 0, 1, words[INPUTS], words[OUTPUTS], words[ROWS], words[ROWS], 1)


def conv2d(item: str, words: "Words") -> "Needs":
    planes = _planes(item, words, _EXTENT * 2)
    return _sums(item, words, 20, words[GROUPS], words[CHANNELS], words[OUT_CHANNELS], *planes)


def depthwise2d(item: str, words: "Words") -> "Needs":
    return _sums(item, words, 0, words[CHANNELS], 1, 1, *_planes(item, words, b""))


def max_pool2d(item: str, words: "Words") -> "Needs":
    plane, out_plane, window = _planes(item, words, b"")
    channels = words[CHANNELS]
    return False, INPUT, channels * plane, channels * out_plane, window, 0, 0, ()


def avg_pool2d(item: str, words: "Words") -> "Needs":
    plane, out_plane, window = _planes(item, words, b"\0")
    channels, cells = words[CHANNELS], words[CELLS]
    if cells != 1:
        hold(item, CELLS, cells, out_plane, out_plane)
    columns = _columns(item, words, cells, window * 255)
    return False, INPUT, channels * plane, channels * out_plane, window, 0, 0, columns


def add(item: str, words: "Words") -> "Needs":
    _check(item, words, _COUNT + b"\0\0\0\0")
    most = 255 * (abs(words[FIRST_FACTOR]) + abs(words[SECOND_FACTOR])) + abs(words[BIAS])
    hold(item, FIRST_FACTOR, most, 0, _SUM_MOST)
    hold(item, SHIFT, words[SHIFT], 0, 30)
    return True, OTHER, words[COUNT], words[COUNT], _PASSES, 0, 0, ()


def lookup(item: str, words: "Words") -> "Needs":
    _check(item, words, _COUNT)
    return True, INPUT, words[COUNT], words[COUNT], _PASSES, 0, 256, ()


def softmax(item: str, words: "Words") -> "Needs":
    _check(item, words, _EXTENT * 2)
    count, most = words[ROWS] * words[SIZE], min(1 << 20, (1 << 28) // words[SIZE])
    return False, INPUT, count, count, 1, 0, 0, ((0, 1, 1, most, 0), (0, 256, 0, most, 0))


def _check(item: str, words: "Words", kinds: bytes) -> None:
    """Hold all words of a step to their ranges. kinds: of those from word 6 on."""
    kinds = _START + kinds
    if len(words) != len(kinds):
        refuse(item, "number of words", len(kinds), len(words))
    for place in range(len(kinds)):
        kind = kinds[place]
        if kind:
            hold(item, place, words[place], kind & 1, (1 << (kind >> 1)) - 1)
    hold(item, HIGH, words[HIGH], words[LOW], 255)


def _sums(
    item: str,
    words: "Words",
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
    constants = _columns(item, words, outputs, window * 255 * 128)
    return (
        False,
        INPUT,
        groups * channels * plane,
        outputs * out_plane,
        window,
        scratch,
        outputs * window,
        constants,
    )


def _columns(item: str, words: "Words", count: int, products: int) -> "Rows":
    """Return what biases and rescaling words must be. products: the largest sum of them."""
    start = words[RESCALE]
    hold(item, RESCALE, start, count, count + _GAP_MOST)
    bias = _SUM_MOST - products
    if bias < 0:
        refuse(item, "sum of products", "at most %d" % _SUM_MOST, products)
    return (0, count, -bias, bias, 0), (start, count, _RESCALE_LEAST, _RESCALE_MOST, _RESCALE_ZEROS)


def _planes(item: str, words: "Words", kinds: bytes) -> tuple[int, int, int]:
    """Return the numbers in a plane that comes in, in one that goes out, and in a window."""
    _check(item, words, _WINDOWS + kinds)
    plane = out_plane = window = 1
    for axis in range(2):
        extent, windows = words[HEIGHT + axis], words[OUT_HEIGHT + axis]
        _check_axis(item, words, axis, extent, windows)
        plane *= extent
        out_plane *= windows
        window *= words[KERNEL + axis]
    return plane, out_plane, window


def _check_axis(item: str, words: "Words", axis: int, extent: int, windows: int) -> None:
    """Refuse windows that are too few or too many, or have nothing of the input."""
    stride, padding, dilation = words[STRIDE + axis], words[PADDING + axis], words[DILATION + axis]
    reach = dilation * (words[KERNEL + axis] - 1)
    hold(item, PADDING + axis, padding, 0, reach)  # else the first window ends in the padding
    fit = (extent + 2 * padding - reach - 1) // stride + 1
    # One window more is where there is more padding at the end, or where pooling rounds up.
    hold(item, OUT_HEIGHT + axis, windows, fit, min(fit, (extent + padding - 1) // stride) + 1)
    if dilation > extent:  # a window's places may jump over the input
        hold(item, PADDING + axis, padding, 0, _JUMPS_MOST)
        for start in range(-padding, min(0, windows * stride - padding), stride):
            if start % dilation >= extent:
                hold(item, DILATION + axis, dilation, 1, extent)
