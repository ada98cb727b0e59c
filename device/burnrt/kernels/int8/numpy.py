"""Integer kernels on numpy: the definition of every result. See the package for what each computes."""

import numpy as np
from numpy.lib.stride_tricks import as_strided

from burnrt.int8 import words as at


def rescaled(sums, words):
    """Return `sums` rescaled, each by the word beside it: arrays of integers that fit each other's shape."""
    sums, words = np.asarray(sums, np.int64), np.asarray(words, np.int64)
    factor, first, second = words & 0xFFFF, words >> 16 & 31, words >> 24
    cut = np.clip(sums >> first, -32768, 32767)
    return (cut * factor + (1 << second - 1)) >> second


def linear(arena, weight, constants, words):
    rows, inputs, outputs = words[at.ROWS : at.OUTPUTS + 1]
    x = _numbers(arena, words[at.INPUT], (rows, inputs)).astype(np.int64)
    sums = x @ _weights(weight, (outputs, inputs)).T
    _finish(arena, words, sums, *_columns(constants, words, outputs))


def conv2d(arena, weight, constants, words):
    groups, inputs, outputs = words[at.GROUPS], words[at.CHANNELS], words[at.OUT_CHANNELS]
    _convolve(arena, weight, constants, words, groups, inputs, outputs)


def depthwise2d(arena, weight, constants, words):
    _convolve(arena, weight, constants, words, words[at.CHANNELS], 1, 1)


def _convolve(arena, weight, constants, words, groups, inputs, outputs):
    kernel = tuple(words[at.KERNEL : at.KERNEL + 2])
    windows = _windows(arena, words, groups * inputs, words[at.PAD])
    windows = windows.reshape((groups, inputs, *windows.shape[1:])).astype(np.int64)
    weight = _weights(weight, (groups, outputs, inputs, *kernel))
    sums = np.einsum("giyxkl,goikl->goyx", windows, weight).reshape(groups * outputs, *windows.shape[2:4])
    bias, rescale = _columns(constants, words, groups * outputs)
    _finish(arena, words, sums, bias[:, None, None], rescale[:, None, None])


def max_pool2d(arena, weight, constants, words):
    largest = _windows(arena, words, words[at.CHANNELS], 0).max((3, 4))
    _numbers(arena, words[at.OUTPUT], largest.shape)[:] = largest


def avg_pool2d(arena, weight, constants, words):
    sums = _windows(arena, words, words[at.CHANNELS], 0).astype(np.int64).sum((3, 4))
    bias, rescale = _columns(constants, words, words[at.CELLS])
    shape = (1, 1) if words[at.CELLS] == 1 else sums.shape[1:]
    _finish(arena, words, sums, bias.reshape(shape), rescale.reshape(shape))


def add(arena, weight, constants, words):
    count = (words[at.COUNT],)
    x = _numbers(arena, words[at.INPUT], count).astype(np.int64)
    y = _numbers(arena, words[at.OTHER], count).astype(np.int64)
    total = x * words[at.FIRST_FACTOR] + y * words[at.SECOND_FACTOR] + words[at.BIAS]
    cut = np.clip(total >> words[at.SHIFT], words[at.LOW], words[at.HIGH])
    _numbers(arena, words[at.OUTPUT], count)[:] = cut


def lookup(arena, weight, constants, words):
    count = (words[at.COUNT],)
    table = np.frombuffer(weight, np.uint8, 256)
    _numbers(arena, words[at.OUTPUT], count)[:] = table[_numbers(arena, words[at.INPUT], count)]


def softmax(arena, weight, constants, words):
    shape = (words[at.ROWS], words[at.SIZE])
    x = _numbers(arena, words[at.INPUT], shape).astype(np.int64)
    powers = np.asarray(constants)[x.max(1, keepdims=True) - x].astype(np.int64)
    sums = powers.sum(1, keepdims=True)
    _numbers(arena, words[at.OUTPUT], shape)[:] = np.minimum(255, (powers * 256 + sums // 2) // sums)


def _numbers(arena, offset, shape):
    """Return the bytes at an offset in the arena as an array that shares them."""
    return np.frombuffer(arena, np.uint8, int(np.prod(shape)), offset).reshape(shape)


def _weights(weight, shape):
    return np.frombuffer(weight, np.int8, int(np.prod(shape))).reshape(shape).astype(np.int64)


def _columns(constants, words, count):
    """Return the biases and the rescaling words."""
    constants = np.asarray(constants)
    start = words[at.RESCALE]
    return constants[:count], constants[start : start + count]


def _finish(arena, words, sums, bias, rescale):
    out = words[at.ZERO] + rescaled(sums + bias, rescale)
    _numbers(arena, words[at.OUTPUT], out.shape)[:] = np.clip(out, words[at.LOW], words[at.HIGH])


def _windows(arena, words, channels, pad):
    """Return what lies in each window, (channels, out height, out width, kernel height, kernel width)."""
    x = _numbers(arena, words[at.INPUT], (channels, *words[at.HEIGHT : at.WIDTH + 1])).astype(np.int16)
    size, kernel, stride, padding, dilation = [
        words[start : start + 2] for start in (at.OUT_HEIGHT, at.KERNEL, at.STRIDE, at.PADDING, at.DILATION)
    ]
    ends = [(o - 1) * s + (k - 1) * d + 1 for o, s, k, d in zip(size, stride, kernel, dilation)]
    edges = [(p, max(0, end - extent - p)) for p, end, extent in zip(padding, ends, x.shape[1:])]
    x = np.pad(x, [(0, 0), *edges], constant_values=pad)
    down, right = x.strides[1:]
    steps = (down * stride[0], right * stride[1], down * dilation[0], right * dilation[1])
    return as_strided(x, (channels, *size, *kernel), x.strides[:1] + steps, writeable=False)
