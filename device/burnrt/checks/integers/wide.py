"""Steps on values of 16 bits."""

from burnpack.compat import const
from burnrt.checks.constants import each
from burnrt.checks.holding import hold
from burnrt.checks.integers import BEFORE, PASSES, SUM_MOST
from burnrt.checks.windows import meet
from burnrt.wide_words import (
    BITS,
    MIDDLE,
    MOST,
    NARROW_BIAS,
    NARROW_FACTOR,
    NARROW_SHIFT,
    PAIRS_HIGH,
    PAIRS_LOW,
    SKIPPED,
    SUMS_HIGH,
    SUMS_LOW,
    SUMS_MOST,
    TURN,
    entries,
)
from burnrt.words import (
    BIAS,
    CHANNELS,
    COUNT,
    FIRST_FACTOR,
    FIRST_STEPS,
    GROUPS,
    HEIGHT,
    INPUT,
    KEPT,
    LINES,
    OTHER,
    OUT_CHANNELS,
    PAD,
    PLANES,
    RESCALE,
    RESCALING,
    SECOND_FACTOR,
    SECOND_STEPS,
    SHIFT,
)

if False:  # for type checkers
    from burnrt.checks.integers import Needs
    from burnrt.memory import Memory

_LARGEST = const(65535)
_GAP_MOST = const(64)  # words between biases and rescaling words
# Rescaling words: shifts of 0 to 31 and of 1 to 29, and a factor of 16 bits.
_RESCALE_LEAST = const(1 << 24)
_RESCALE_MOST = const((30 << 24) - 1)
_RESCALE_ZEROS = const(0xE00000)


def _sums(words: list[int], memory: "Memory", start: int) -> "Needs":
    height, width, rows, columns, tall, wide, down, right, top, left, below, beside = words[HEIGHT:GROUPS]
    meet(height, rows, tall, down, top, below)
    meet(width, columns, wide, right, left, beside)
    window, outputs = words[CHANNELS] * tall, words[GROUPS] * words[OUT_CHANNELS]
    hold(BEFORE + CHANNELS, window, 1, SUM_MOST // 128 // wide)
    window *= wide
    hold(BEFORE + PAD, words[PAD], 0, words[SUMS_MOST])
    hold(BEFORE + SUMS_MOST, words[SUMS_MOST], 1, SUM_MOST // 128 // window)
    hold(BEFORE + SUMS_HIGH, words[SUMS_HIGH], words[SUMS_LOW], _LARGEST)
    most = SUM_MOST - 128 * window * words[SUMS_MOST]
    hold(BEFORE + RESCALE, words[RESCALE], outputs, outputs + _GAP_MOST)
    each(memory, start, outputs, -most, most, 0)
    each(memory, start + 4 * words[RESCALE], outputs, _RESCALE_LEAST, _RESCALE_MOST, _RESCALE_ZEROS)
    reads = 2 * words[GROUPS] * words[CHANNELS] * height * width
    return reads, 2 * outputs * rows * columns, window, outputs * window, 2 * window, INPUT, False


def _add(words: list[int], memory: "Memory", start: int) -> "Needs":
    most = _LARGEST * (abs(words[FIRST_FACTOR]) + abs(words[SECOND_FACTOR]))
    hold(BEFORE + BIAS, most + abs(words[BIAS]), 0, SUM_MOST)
    hold(BEFORE + SHIFT, words[SHIFT], 0, 30)
    return _pairs(words)


def _multiply(words: list[int], memory: "Memory", start: int) -> "Needs":
    word = words[RESCALING]
    hold(BEFORE + RESCALING, word, _RESCALE_LEAST, _RESCALE_MOST)
    hold(BEFORE + RESCALING, word & _RESCALE_ZEROS, 0, 0)
    return _pairs(words)


def _pairs(words: list[int]) -> "Needs":
    hold(BEFORE + PAIRS_HIGH, words[PAIRS_HIGH], words[PAIRS_LOW], _LARGEST)
    extents = words[PLANES], words[LINES], words[COUNT]
    reads = 2 * _size(extents, words[FIRST_STEPS:SECOND_STEPS] + [1], FIRST_STEPS)
    others = 2 * _size(extents, words[SECOND_STEPS:KEPT], SECOND_STEPS)
    writes = 2 * words[PLANES] * words[LINES] * words[COUNT]
    if words[KEPT]:
        return reads, writes, PASSES, others, 0, INPUT, True
    return (reads, others), writes, PASSES, 0, 0, OTHER, True


def _size(extents: "tuple[int, ...]", steps: list[int], place: int) -> int:
    """Return how many numbers an operand has, whose steps are 0 or lead past all that is behind."""
    size = 1
    for axis in (2, 1, 0):
        if steps[axis]:
            hold(BEFORE + place + axis, steps[axis], size, size)
            size *= extents[axis]
    return size


def _lookup(words: list[int], memory: "Memory", start: int) -> "Needs":
    middle, bits, skipped = words[MIDDLE], words[BITS], words[SKIPPED]
    hold(BEFORE + MIDDLE, middle, 0, words[MOST])
    hold(BEFORE + BITS, bits, 1, 8)
    hold(BEFORE + SKIPPED, skipped, 0, 8)
    turn = entries(words[MOST] - middle, bits, skipped)
    hold(BEFORE + TURN, words[TURN], turn, turn)
    if middle:
        turn += entries(middle, bits, skipped)
    return 2 * words[COUNT], 2 * words[COUNT], 2 * PASSES, 2 * turn, 0, INPUT, True


def _narrow(words: list[int], memory: "Memory", start: int) -> "Needs":
    factor, bias = words[NARROW_FACTOR], words[NARROW_BIAS]
    hold(BEFORE + NARROW_FACTOR, factor, 0, SUM_MOST // _LARGEST)
    hold(BEFORE + NARROW_BIAS, _LARGEST * factor + abs(bias), 0, SUM_MOST)
    hold(BEFORE + NARROW_SHIFT, words[NARROW_SHIFT], 0, 30)
    return 2 * words[COUNT], words[COUNT], PASSES, 0, 0, INPUT, False


# WORK PAD, extents to STRIDE, PADDING and DILATION, GROUPS OUT_CHANNELS, and MOST LOW HIGH ZERO of 16 bits
_WINDOWS = b"\x30\x20\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1f\x1e\x1e\x1f\x1f\x1f\x1f"
_STEPS = b"\x1f\x1f\x30\x30\x30\x30\x02\x02"  # PLANES LINES, then steps and KEPT

wide_conv2d = _WINDOWS + b"\x20\x20\x20\x20", _sums
wide_add = b"\x31\0\0\0\0" + _STEPS + b"\x20\x20", _add
wide_multiply = b"\x31\x20\x20\0\x20" + _STEPS + b"\x20\x20", _multiply
wide_lookup = b"\x31\x20\x20\x08\x08\x30", _lookup
narrow = b"\x31\x1c\0\0", _narrow
