"""Kernels on numpy, in 32-bit floats. Shapes and contracts are those of the functions in `plain`.

Buffers are flat numpy arrays; any other flat buffer of floats is taken as one, without a copy.
"""

import math

import numpy as np
from numpy.lib.stride_tricks import as_strided

from burnpack.errors import InvalidTensor

_DTYPES = {"F32": "<f4", "Flex32": "<f4", "F64": "<f8", "F16": "<f2"}


def buffer(count):
    return np.empty(count, np.float32)


def floats(values):
    values = np.frombuffer(values, np.uint8) if isinstance(values, (bytes, bytearray)) else values
    return np.array(values, np.float32)


def weights(data, dtype, count):
    if dtype == "BF16":
        return (np.frombuffer(data, "<u2", count).astype(np.uint32) << 16).view(np.float32)
    return np.frombuffer(data, _DTYPES[dtype], count) if dtype in _DTYPES else None


def linear(x, weight, bias, out, rows, inputs, outputs):
    out = _shaped(out, (rows, outputs))
    np.matmul(_shaped(x, (rows, inputs)), _shaped(weight, (inputs, outputs)), out=out)
    if bias is not None:
        out += bias


def conv2d(x, x_shape, weight, weight_shape, bias, out, out_shape, stride, padding, dilation, groups):
    x = _padded(_shaped(x, x_shape), padding, (0, 0), 0.0)
    windows = _windows(x, weight_shape[2:], stride, dilation, out_shape[2:])
    weight, out = _shaped(weight, weight_shape), _shaped(out, out_shape)
    inputs, outputs = weight_shape[1], weight_shape[0] // groups
    for group in range(groups):
        part = windows[:, group * inputs : (group + 1) * inputs]
        chosen = slice(group * outputs, (group + 1) * outputs)
        sums = np.tensordot(part, weight[chosen], ((1, 4, 5), (1, 2, 3)))
        out[:, chosen] = sums.transpose(0, 3, 1, 2)
    if bias is not None:
        out += np.asarray(bias, np.float32).reshape(1, -1, 1, 1)


def max_pool2d(x, x_shape, out, out_shape, kernel, stride, padding, dilation):
    excess = _excess(x_shape, out_shape, kernel, stride, padding, dilation)
    x = _padded(_shaped(x, x_shape), padding, excess, -np.inf)
    _windows(x, kernel, stride, dilation, out_shape[2:]).max((4, 5), out=_shaped(out, out_shape))


def avg_pool2d(x, x_shape, out, out_shape, kernel, stride, padding, count_include_pad):
    excess = _excess(x_shape, out_shape, kernel, stride, padding, (1, 1))
    sums = _windows(_padded(_shaped(x, x_shape), padding, excess, 0.0), kernel, stride, (1, 1), out_shape[2:])
    # Ones where something counts, summed by the same windows, are how much counts in each.
    inner = np.ones((1, 1) + tuple(x_shape[2:]), np.float32)
    counted = _padded(_padded(inner, padding, (0, 0), float(count_include_pad)), (0, 0), excess, 0.0)
    sizes = _windows(counted, kernel, stride, (1, 1), out_shape[2:]).sum((4, 5))
    np.divide(sums.sum((4, 5)), sizes, out=_shaped(out, out_shape))


def adaptive_avg_pool2d(x, x_shape, out, out_shape):
    x, out = _shaped(x, x_shape), _shaped(out, out_shape)
    for row in range(out_shape[2]):
        rows = _share(row, out_shape[2], x_shape[2])
        for column in range(out_shape[3]):
            x[:, :, rows, _share(column, out_shape[3], x_shape[3])].mean((2, 3), out=out[:, :, row, column])


def batch_norm(x, gamma, beta, mean, variance, epsilon, out, batch, channels, inner):
    scale = gamma / np.sqrt(np.asarray(variance, np.float32) + np.float32(epsilon))
    shift = beta - mean * scale
    out = _shaped(out, (batch, channels, inner))
    np.multiply(_shaped(x, (batch, channels, inner)), scale.reshape(-1, 1), out=out)
    out += shift.reshape(-1, 1)


def layer_norm(x, gamma, beta, epsilon, out, rows, size):
    x, out = _shaped(x, (rows, size)), _shaped(out, (rows, size))
    variance = x.var(1, keepdims=True)
    np.subtract(x, x.mean(1, keepdims=True), out=out)
    out /= np.sqrt(variance + np.float32(epsilon))
    if gamma is not None:
        out *= gamma
    if beta is not None:
        out += beta


def embedding(x, weight, out, count, rows, size):
    x = np.asarray(x)
    for number in x[(x < 0) | (x >= rows) | (x != np.floor(x))]:
        raise InvalidTensor("no such row", "Embedding", expected="0..%d" % (rows - 1), found=number)
    _shaped(out, (count, size))[:] = _shaped(weight, (rows, size))[x.astype(np.int64)]


def relu(x, out, count):
    np.maximum(x, np.float32(0.0), out=_shaped(out, (count,)))


def gelu(x, out, count):
    x = np.asarray(x, np.float64)
    erf = np.fromiter(map(math.erf, x * math.sqrt(0.5)), np.float64, count)
    _shaped(out, (count,))[:] = 0.5 * x * (1.0 + erf)


def sigmoid(x, out, count):
    x = np.asarray(x, np.float32)
    power = np.exp(-np.abs(x))
    np.divide(np.where(x > 0, np.float32(1.0), power), 1.0 + power, out=_shaped(out, (count,)))


def tanh(x, out, count):
    np.tanh(x, out=_shaped(out, (count,)))


def softmax(x, out, outer, size, inner):
    x, out = _shaped(x, (outer, size, inner)), _shaped(out, (outer, size, inner))
    np.exp(x - x.max(1, keepdims=True), out=out)
    out /= out.sum(1, keepdims=True)


def log_softmax(x, out, outer, size, inner):
    x = _shaped(x, (outer, size, inner))
    x = x - x.max(1, keepdims=True)
    np.subtract(x, np.log(np.exp(x).sum(1, keepdims=True)), out=_shaped(out, (outer, size, inner)))


def _shaped(flat, shape):
    """Return the flat buffer as an array of this shape that shares its memory."""
    return np.asarray(flat).reshape(shape)


def _padded(x, padding, excess, value):
    """Return `x` with `padding` on all sides of its planes, and `excess` more below and to the right."""
    if not any(padding) and not any(excess):
        return x
    edges = [(0, 0), (0, 0)] + [(pad, pad + more) for pad, more in zip(padding, excess)]
    return np.pad(x, edges, constant_values=value)


def _excess(x_shape, out_shape, kernel, stride, padding, dilation):
    """Return how far the last windows reach beyond the padding, below and to the right."""
    ends = [(o - 1) * s + (k - 1) * d + 1 for o, s, k, d in zip(out_shape[2:], stride, kernel, dilation)]
    return [max(0, end - extent - 2 * pad) for end, extent, pad in zip(ends, x_shape[2:], padding)]


def _windows(x, kernel, stride, dilation, out_size):
    """Return a view of `x`, (batch, channels, height, width), as (batch, channels, *out_size, *kernel)."""
    planes, (down, right) = x.strides[:2], x.strides[2:]
    steps = (down * stride[0], right * stride[1], down * dilation[0], right * dilation[1])
    return as_strided(x, x.shape[:2] + tuple(out_size) + tuple(kernel), planes + steps, writeable=False)


def _share(index, parts, extent):
    return slice(index * extent // parts, ((index + 1) * extent + parts - 1) // parts)
