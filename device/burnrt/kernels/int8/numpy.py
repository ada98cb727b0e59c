"""Integer kernels on numpy: the definition of every result. See the package for what each computes."""

import numpy as np
from numpy.lib.stride_tricks import as_strided

from burnrt import words as at
from burnrt.kernels.int8 import numpy_recurrent as recurrent
from burnrt.kernels.int8.numpy_broadcasting import add_strided, multiply_strided  # noqa: F401 # of the set
from burnrt.kernels.int8.numpy_normalizing import normalize  # noqa: F401 # of the set
from burnrt.kernels.int8.numpy_resampling import weighted
from burnrt.kernels.int8.numpy_wide import (  # noqa: F401 # of the set
    narrow,
    wide_add,
    wide_conv2d,
    wide_lookup,
    wide_multiply,
)

if False:  # for type checkers
    from collections.abc import Iterator, Sequence
    from typing import Any, TypeAlias

    import numpy.typing as npt

    from burnpack.types import Buffer
    from burnrt.types import Arena

    Array: TypeAlias = npt.NDArray[Any]
    Row: TypeAlias = Sequence[int]


_BLOCK = 1 << 20  # numbers of windows that are in memory at a time


def rescaled(sums: "npt.ArrayLike", words: "npt.ArrayLike") -> "Array":
    """Return `sums` rescaled, each by the word beside it: arrays of integers that fit each other's shape."""
    sums = np.asarray(sums)
    words = np.asarray(words, sums.dtype)
    factor, first, second = words & 0xFFFF, words >> 16 & 31, words >> 24
    cut = np.clip(sums >> first, -32768, 32767)
    found: Array = (cut * factor + (1 << second - 1)) >> second
    return found


def linear(arena: "Arena", weight: "Buffer", constants: "Row", words: "Row") -> None:
    rows, inputs, outputs = words[at.ROWS : at.OUTPUTS + 1]
    x, out = (
        _numbers(arena, words[at.INPUT], (rows, inputs)),
        _numbers(arena, words[at.OUTPUT], (rows, outputs)),
    )
    matrix = _weights(weight, (outputs, inputs)).T
    columns = _columns(constants, words, outputs)
    block = max(1, _BLOCK // max(inputs, outputs))
    for start in range(0, rows, block):
        sums = (x[start : start + block] @ matrix).astype(np.int32)
        out[start : start + block] = _finished(words, sums, *columns)


def linear4(arena: "Arena", weight: "Buffer", constants: "Row", words: "Row") -> None:
    inputs, outputs, places, planar = words[at.INPUTS : at.PLANAR + 1]
    shapes = ((inputs, places), (outputs, places)) if planar else ((places, inputs), (places, outputs))
    x, out = _numbers(arena, words[at.INPUT], shapes[0]), _numbers(arena, words[at.OUTPUT], shapes[1])
    if planar:
        x, out = x.T, out.T
    matrix = _packed(weight, outputs, inputs).T
    columns = _columns(constants, words, outputs)
    block = max(1, _BLOCK // max(inputs, outputs))
    for start in range(0, places, block):
        sums = (x[start : start + block] @ matrix).astype(np.int32)
        out[start : start + block] = _finished(words, sums, *columns)


def conv2d(arena: "Arena", weight: "Buffer", constants: "Row", words: "Row") -> None:
    groups, inputs, outputs = words[at.GROUPS], words[at.CHANNELS], words[at.OUT_CHANNELS]
    _convolve(arena, weight, constants, words, groups, inputs, outputs)


def depthwise2d(arena: "Arena", weight: "Buffer", constants: "Row", words: "Row") -> None:
    _convolve(arena, weight, constants, words, words[at.CHANNELS], 1, 1)


def _convolve(
    arena: "Arena", weight: "Buffer", constants: "Row", words: "Row", groups: int, inputs: int, outputs: int
) -> None:
    height, width = words[at.KERNEL : at.KERNEL + 2]
    x = _padded(arena, words, groups * inputs).reshape(groups, inputs, words[at.HEIGHT] + 1, -1)
    taps = _weights(weight, (groups, outputs, inputs, height, width))
    bias, rescale = _columns(constants, words, groups * outputs)
    out = _numbers(arena, words[at.OUTPUT], (groups * outputs, *words[at.OUT_HEIGHT : at.OUT_WIDTH + 1]))
    for rows, columns in _blocks(words, groups * max(inputs * width, outputs), x.shape[-1]):
        places = _places(words, 1, columns, np.arange(width)[:, None])
        sums: Array = np.zeros((groups, outputs, len(rows) * len(columns)))
        for i in range(height):  # a row of all windows at a time
            lines = x[:, :, _places(words, 0, rows, i)].take(places, axis=-1)
            lines = lines.swapaxes(2, 3).reshape(groups, inputs * width, -1)
            sums += taps[:, :, :, i].reshape(groups, outputs, -1) @ lines
        sums = sums.reshape(-1, sums.shape[-1]).astype(np.int32)
        found = _finished(words, sums, bias[:, None], rescale[:, None])
        shape = (-1, len(rows), len(columns))
        out[:, rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1] = found.reshape(shape)


def max_pool2d(arena: "Arena", weight: "Buffer", constants: "Row", words: "Row") -> None:
    largest = _pooled(arena, words, np.maximum)
    _numbers(arena, words[at.OUTPUT], largest.shape)[:] = largest


def avg_pool2d(arena: "Arena", weight: "Buffer", constants: "Row", words: "Row") -> None:
    sums = _pooled(arena, words, np.add)
    bias, rescale = _columns(constants, words, words[at.CELLS])
    shape = (1, 1) if words[at.CELLS] == 1 else sums.shape[1:]
    _finish(arena, words, sums, bias.reshape(shape), rescale.reshape(shape))


def resample(arena: "Arena", weight: "Buffer", constants: "Row", words: "Row") -> None:
    _finish(arena, words, weighted(arena, constants, words), *_columns(constants, words, 1))


def add(arena: "Arena", weight: "Buffer", constants: "Row", words: "Row") -> None:
    count = (words[at.COUNT],)
    x = _numbers(arena, words[at.INPUT], count).astype(np.int32)
    y = _numbers(arena, words[at.OTHER], count).astype(np.int32)
    total = x * words[at.FIRST_FACTOR] + y * words[at.SECOND_FACTOR] + words[at.BIAS]
    cut = np.clip(total >> words[at.SHIFT], words[at.LOW], words[at.HIGH])
    _numbers(arena, words[at.OUTPUT], count)[:] = cut


def lookup(arena: "Arena", weight: "Buffer", constants: "Row", words: "Row") -> None:
    count = (words[at.COUNT],)
    table = np.frombuffer(weight, np.uint8, 256)
    _numbers(arena, words[at.OUTPUT], count)[:] = table[_numbers(arena, words[at.INPUT], count)]


def lookup_each(arena: "Arena", weight: "Buffer", constants: "Row", words: "Row") -> None:
    shape = words[at.TABLES], words[at.COUNT]
    tables = np.frombuffer(weight, np.uint8, 256 * shape[0]).reshape(-1, 256)
    found = np.take_along_axis(tables, _numbers(arena, words[at.INPUT], shape).astype(np.intp), 1)
    _numbers(arena, words[at.OUTPUT], shape)[:] = found


def softmax(arena: "Arena", weight: "Buffer", constants: "Row", words: "Row") -> None:
    shape = (words[at.ROWS], words[at.SIZE])
    x = _numbers(arena, words[at.INPUT], shape)
    powers = np.asarray(constants, np.int32)[x.max(1, keepdims=True) - x]
    sums = powers.sum(1, keepdims=True)
    _numbers(arena, words[at.OUTPUT], shape)[:] = np.minimum(255, (powers * 256 + sums // 2) // sums)


def copy(arena: "Arena", weight: "Buffer", constants: "Row", words: "Row") -> None:
    source = words[at.SOURCE]
    first = words[at.FIRST] + (0 if source == 2 else words[at.INPUT])
    x = _strided(weight if source == 2 else arena, first, words, at.STEPS)
    if source == 1:
        x = np.frombuffer(weight, np.uint8, 256)[x]
    _strided(arena, words[at.OUTPUT] + words[at.INTO], words, at.OUT_STEPS)[:] = x


def fill(arena: "Arena", weight: "Buffer", constants: "Row", words: "Row") -> None:
    _numbers(arena, words[at.OUTPUT], (words[at.COUNT],))[:] = words[at.PAD]


def _strided(data: "Buffer", first: int, words: "Row", steps: int) -> "npt.NDArray[np.uint8]":
    """Return as an array the bytes that steps lead to. steps: the first word of these."""
    shape = tuple(words[at.EXTENTS : at.EXTENTS + at.DIMENSIONS])
    strides = tuple(words[steps : steps + at.DIMENSIONS])
    return as_strided(np.frombuffer(data, np.uint8)[first:], shape, strides)


def masked_softmax(arena: "Arena", weight: "Buffer", constants: "Row", words: "Row") -> None:
    rows, size, period = words[at.ROWS : at.PERIOD + 1]
    x = _numbers(arena, words[at.INPUT], (rows, size))
    bits = np.frombuffer(weight, np.uint8, period * ((size + 7) // 8)).reshape(period, -1)
    shown = np.unpackbits(bits, axis=1, count=size, bitorder="little")[np.arange(rows) % period]
    largest = (x * shown).max(1, keepdims=True)
    powers = np.asarray(constants, np.int32)[np.maximum(0, largest - x.astype(np.int32))] * shown
    sums = powers.sum(1, keepdims=True)
    shares = (powers * 256 + sums // 2) // np.maximum(1, sums)
    _numbers(arena, words[at.OUTPUT], (rows, size))[:] = np.minimum(255, shares)


def matmul(arena: "Arena", weight: "Buffer", constants: "Row", words: "Row") -> None:
    matrices, lines, inner, columns = words[at.MATRICES : at.COLUMNS + 1]
    x = _matrices(arena, words[at.INPUT], (matrices, lines, inner), (words[at.STEP], inner, 1))
    steps = words[at.OTHER_STEP], words[at.DOWN], words[at.ACROSS]
    y = _matrices(arena, words[at.OTHER], (matrices, inner, columns), steps) - words[at.OTHER_ZERO]
    halved = int(words[at.OTHER_ZERO] != 128)
    weights = np.minimum(127, (y + halved) >> halved).astype(np.float64)
    sums = ((x - words[at.PAD]).astype(np.float64) @ weights).astype(np.int32)
    found = words[at.ZERO] + rescaled(sums, words[at.RESCALING])
    cut = found.clip(words[at.LOW], words[at.HIGH])
    _numbers(arena, words[at.OUTPUT], sums.shape)[:] = cut


def embedding(arena: "Arena", weight: "Buffer", constants: "Row", words: "Row") -> None:
    count, size, entries = words[at.COUNT : at.ENTRIES + 1]
    table = np.frombuffer(weight, np.uint8, entries * size).reshape(entries, size) ^ 128
    kind = np.uint16 if words[at.WIDE] else np.uint8
    x = np.frombuffer(arena, kind, count, words[at.INPUT])
    _numbers(arena, words[at.OUTPUT], (count, size))[:] = table[np.minimum(x, entries - 1)]


def _matrices(arena: "Arena", offset: int, shape: "Sequence[int]", steps: "Sequence[int]") -> "Array":
    """Return a copy of the bytes that steps lead to, as wider integers."""
    end = offset + 1 + sum((extent - 1) * step for extent, step in zip(shape, steps, strict=True))
    found = as_strided(np.frombuffer(arena, np.uint8)[offset:end], shape, steps)
    return found.astype(np.int32)


def gru(arena: "Arena", weight: "Buffer", constants: "Row", words: "Row") -> None:
    recurrent.gru(linear, arena, weight, constants, words)


def lstm(arena: "Arena", weight: "Buffer", constants: "Row", words: "Row") -> None:
    recurrent.lstm(linear, arena, weight, constants, words)


def rnn(arena: "Arena", weight: "Buffer", constants: "Row", words: "Row") -> None:
    recurrent.rnn(linear, arena, weight, constants, words)


def _numbers(arena: "Arena", offset: int, shape: "Sequence[int]") -> "npt.NDArray[np.uint8]":
    """Return the bytes at an offset in the arena as an array that shares them."""
    return np.frombuffer(arena, np.uint8, int(np.prod(shape)), offset).reshape(shape)


def _weights(weight: "Buffer", shape: "Sequence[int]") -> "npt.NDArray[np.float64]":
    """Return weights in binary64, whose matrix product is fast, and exact here: no sum passes 2^30."""
    return np.frombuffer(weight, np.int8, int(np.prod(shape))).reshape(shape).astype(np.float64)


def _packed(weight: "Buffer", outputs: int, inputs: int) -> "npt.NDArray[np.float64]":
    """Return weights of 4 bits in binary64, (outputs, inputs)."""
    pairs = np.frombuffer(weight, np.uint8, outputs * at.packed_size(inputs)).reshape(outputs, -1, 1)
    codes = (pairs >> np.array((0, 4), np.uint8) & 15 ^ 8).reshape(outputs, -1)
    found: npt.NDArray[np.float64] = codes[:, :inputs].astype(np.float64) - 8
    return found


def _columns(constants: "Row", words: "Row", count: int) -> "tuple[Array, Array]":
    """Return the biases and the rescaling words."""
    found, start = np.asarray(constants, np.int32), words[at.RESCALE]
    return found[:count], found[start : start + count]


def _finish(arena: "Arena", words: "Row", sums: "Array", bias: "Array", rescale: "Array") -> None:
    _numbers(arena, words[at.OUTPUT], sums.shape)[:] = _finished(words, sums, bias, rescale)


def _finished(words: "Row", sums: "Array", bias: "Array", rescale: "Array") -> "Array":
    found: Array = words[at.ZERO] + rescaled(sums + bias, rescale)
    return found.clip(words[at.LOW], words[at.HIGH])


def _padded(arena: "Arena", words: "Row", channels: int) -> "npt.NDArray[np.float64]":
    """Return the planes that come in, with a row and a column behind each that stand for padding."""
    x = _numbers(arena, words[at.INPUT], (channels, *words[at.HEIGHT : at.WIDTH + 1])).astype(np.float64)
    return np.pad(x, ((0, 0), (0, 1), (0, 1)), constant_values=words[at.PAD])


def _blocks(words: "Row", channels: int, width: int) -> "Iterator[tuple[Array, Array]]":
    """Yield which rows and columns of windows to look at together, so that they take little memory."""
    height, across = words[at.OUT_HEIGHT : at.OUT_WIDTH + 1]
    many = max(1, _BLOCK // (channels * max(width, across)))
    few = max(1, _BLOCK // (channels * min(many, height)))
    for row in range(0, height, many):
        for column in range(0, across, few):
            yield np.arange(row, min(row + many, height)), np.arange(column, min(column + few, across))


def _places(words: "Row", axis: int, windows: "Array", offset: "Array | int") -> "Array":
    """Return the coordinates of the windows' numbers `offset` along an axis, in what `_padded` returns."""
    places, extent = _along(words, axis, windows, offset), words[at.HEIGHT + axis]
    return np.where((places >= 0) & (places < extent), places, extent)


def _along(words: "Row", axis: int, window: "Array", offset: "Array | int") -> "Array":
    """Return the coordinate of a window's number `offset` along an axis; it may lie in the padding."""
    start = window * words[at.STRIDE + axis] - words[at.PADDING + axis]
    found: Array = start + offset * words[at.DILATION + axis]
    return found


def _pooled(arena: "Arena", words: "Row", gather: "np.ufunc") -> "Array":
    """Return `gather` of what of each window lies inside, (channels, out height, out width)."""
    x = _numbers(arena, words[at.INPUT], (words[at.CHANNELS], *words[at.HEIGHT : at.WIDTH + 1]))
    # That axis first which leaves fewer numbers: never more than the larger of input and output.
    sizes = [words[at.OUT_HEIGHT] * words[at.WIDTH], words[at.HEIGHT] * words[at.OUT_WIDTH]]
    for axis in (0, 1) if sizes[0] <= sizes[1] else (1, 0):
        x = _pooled_along(x, words, axis, gather)
    return x


def _pooled_along(x: "Array", words: "Row", axis: int, gather: "np.ufunc") -> "Array":
    x = np.moveaxis(x, axis + 1, 0)
    windows = np.arange(words[at.OUT_HEIGHT + axis])
    found = np.zeros((len(windows), *x.shape[1:]), np.int32)
    for offset in range(words[at.KERNEL + axis]):
        places = _along(words, axis, windows, offset)
        inside = (0 <= places) & (places < len(x))
        if inside.any():
            found[inside] = gather(found[inside], x[places[inside]])
    return np.moveaxis(found, 0, axis + 1)
