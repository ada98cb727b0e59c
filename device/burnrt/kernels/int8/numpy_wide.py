"""Steps on values of 16 bits, as `numpy` has them: the definition."""

import numpy as np
from numpy.lib.stride_tricks import as_strided

from burnrt import wide_words as wide
from burnrt import words as at

if False:  # for type checkers
    from collections.abc import Sequence
    from typing import Any

    import numpy.typing as npt

    from burnpack.types import Buffer
    from burnrt.types import Arena

    Array = npt.NDArray[Any]
    Row = Sequence[int]

_CUT = 1 << 20
_SPLIT = 3  # bits of a factor that are multiplied apart


def rescaled(sums: "npt.ArrayLike", words: "npt.ArrayLike") -> "Array":
    """Return `sums` rescaled to 16 bits, each by the word beside it."""
    sums = np.asarray(sums, np.int64)
    words = np.asarray(words, np.int64)
    factor, first, second = words & 0xFFFF, words >> 16 & 31, words >> 24
    cut = np.clip(sums >> first, -_CUT, _CUT - 1)
    product = (cut >> 8) * factor + ((cut & 255) * factor >> 8)
    found: Array = (product + (1 << second - 1)) >> second
    return found


def wide_conv2d(arena: "Arena", weight: "Buffer", constants: "Row", words: "Row") -> None:
    groups, inputs, outputs = words[at.GROUPS], words[at.CHANNELS], words[at.OUT_CHANNELS]
    height, width, rows, columns, tall, across = words[at.HEIGHT : at.STRIDE]
    x = _numbers(arena, words[at.INPUT], (groups, inputs, height, width)).astype(np.float64)
    x = np.minimum(x, words[wide.SUMS_MOST])
    padded = np.pad(x, ((0, 0), (0, 0), (0, 1), (0, 1)), constant_values=words[at.PAD])
    down, right = (_places(words, axis) for axis in (0, 1))  # (windows, kernel)
    taps = np.frombuffer(weight, np.int8, groups * outputs * inputs * tall * across)
    taps = taps.reshape(groups, outputs, -1).astype(np.float64)
    sums = np.empty((groups, outputs, rows, columns))
    for row in range(rows):
        lines = padded[:, :, down[row]][..., right]  # (groups, inputs, tall, columns, across)
        lines = lines.transpose(0, 1, 2, 4, 3).reshape(groups, -1, columns)
        sums[:, :, row] = taps @ lines
    bias, rescale = _columns(constants, words, groups * outputs)
    total = sums.reshape(groups * outputs, -1).astype(np.int64) + bias[:, None]
    found = words[wide.SUMS_ZERO] + rescaled(total, rescale[:, None])
    _put(arena, words, found, words[wide.SUMS_LOW], words[wide.SUMS_HIGH])


def wide_add(arena: "Arena", weight: "Buffer", constants: "Row", words: "Row") -> None:
    x, y = _operands(arena, weight, words)
    total = x * words[at.FIRST_FACTOR] + y * words[at.SECOND_FACTOR] + words[at.BIAS]
    _put(arena, words, total >> words[at.SHIFT], words[wide.PAIRS_LOW], words[wide.PAIRS_HIGH])


def wide_multiply(arena: "Arena", weight: "Buffer", constants: "Row", words: "Row") -> None:
    x, y = _operands(arena, weight, words)
    product = (x - words[at.FIRST_ZERO]) * (y - words[at.SECOND_ZERO]) >> _SPLIT
    found = words[wide.PAIRS_ZERO] + rescaled(product, words[at.RESCALING])
    _put(arena, words, found, words[wide.PAIRS_LOW], words[wide.PAIRS_HIGH])


def wide_lookup(arena: "Arena", weight: "Buffer", constants: "Row", words: "Row") -> None:
    middle, most, bits, skipped, turn = words[wide.MIDDLE : wide.TURN + 1]
    x = _numbers(arena, words[at.INPUT], (words[at.COUNT],)).astype(np.int64)
    table = np.frombuffer(weight, np.uint16).astype(np.int64)
    distance = np.minimum(x, most) - middle
    start, distance = np.where(distance < 0, turn, 0), np.abs(distance)
    shift = np.full(distance.shape, skipped)
    while (more := distance >> shift >= 2 << bits).any():
        shift += more
    place = start + (shift - skipped << bits) + (distance >> shift)
    low, high, part = table[place], table[place + 1], distance & (1 << shift) - 1
    found = low + ((high - low) * part + (1 << shift >> 1) >> shift)
    _put(arena, words, found, 0, 65535)


def narrow(arena: "Arena", weight: "Buffer", constants: "Row", words: "Row") -> None:
    x = _numbers(arena, words[at.INPUT], (words[at.COUNT],)).astype(np.int64)
    total = x * words[wide.NARROW_FACTOR] + words[wide.NARROW_BIAS] >> words[wide.NARROW_SHIFT]
    cut = np.clip(total, words[at.LOW], words[at.HIGH])
    np.frombuffer(arena, np.uint8, cut.size, words[at.OUTPUT])[:] = cut


def _numbers(arena: "Buffer", offset: int, shape: "Sequence[int]") -> "npt.NDArray[np.uint16]":
    """Return the numbers at an offset in the arena as an array that shares them."""
    return np.frombuffer(arena, np.uint16, int(np.prod(shape)), offset).reshape(shape)


def _put(arena: "Arena", words: "Row", found: "Array", low: int, high: int) -> None:
    cut = np.clip(found, low, high).reshape(-1)
    _numbers(arena, words[at.OUTPUT], cut.shape)[:] = cut


def _places(words: "Row", axis: int) -> "Array":
    """Return the coordinates of each window's numbers along an axis; in the padding, the one behind all."""
    extent, windows = words[at.HEIGHT + axis], np.arange(words[at.OUT_HEIGHT + axis])
    starts = windows * words[at.STRIDE + axis] - words[at.PADDING + axis]
    places = starts[:, None] + np.arange(words[at.KERNEL + axis]) * words[at.DILATION + axis]
    return np.where((places >= 0) & (places < extent), places, extent)


def _columns(constants: "Row", words: "Row", count: int) -> "tuple[Array, Array]":
    """Return the biases and the rescaling words."""
    found, start = np.asarray(constants, np.int64), words[at.RESCALE]
    return found[:count], found[start : start + count]


def _operands(arena: "Arena", weight: "Buffer", words: "Row") -> "tuple[Array, Array]":
    """Return the numbers that come in, each (planes, lines, count)."""
    first = (*words[at.FIRST_STEPS : at.SECOND_STEPS], 1)
    second = words[at.SECOND_STEPS : at.KEPT]
    source, start = (weight, 0) if words[at.KEPT] else (arena, words[at.OTHER])
    return _broadcast(arena, words[at.INPUT], words, first), _broadcast(source, start, words, second)


def _broadcast(source: "Buffer", start: int, words: "Row", steps: "Row") -> "Array":
    shape = words[at.PLANES], words[at.LINES], words[at.COUNT]
    size = sum(step * (extent - 1) for step, extent in zip(steps, shape, strict=True)) + 1
    numbers = _numbers(source, start, (size,))
    strides = tuple(2 * step for step in steps)
    return as_strided(numbers, shape, strides, writeable=False).astype(np.int64)
