"""Kernels on numpy, in 32-bit floats. Shapes and contracts are those of the functions in `plain`.

Buffers are flat numpy arrays; any other flat buffer of floats is taken as one, without a copy. What is
infinite or no number goes through without a warning.
"""

import math

import numpy as np
from numpy.lib.stride_tricks import as_strided

from burnpack.errors import InvalidTensor
from burnrt.kernels.numpy.broadcasting import (
    add_strided as add_strided,
)
from burnrt.kernels.numpy.broadcasting import (
    compare as compare,
)
from burnrt.kernels.numpy.broadcasting import (
    divide as divide,
)
from burnrt.kernels.numpy.broadcasting import (
    floor_divide as floor_divide,
)
from burnrt.kernels.numpy.broadcasting import (
    fmod as fmod,
)
from burnrt.kernels.numpy.broadcasting import (
    matmul as matmul,
)
from burnrt.kernels.numpy.broadcasting import (
    maximum as maximum,
)
from burnrt.kernels.numpy.broadcasting import (
    minimum as minimum,
)
from burnrt.kernels.numpy.broadcasting import (
    multiply_strided as multiply_strided,
)
from burnrt.kernels.numpy.broadcasting import (
    power as power,
)
from burnrt.kernels.numpy.broadcasting import (
    remainder as remainder,
)
from burnrt.kernels.numpy.broadcasting import (
    subtract as subtract,
)
from burnrt.kernels.numpy.broadcasting import (
    where as where,
)
from burnrt.kernels.numpy.each import (
    absolute as absolute,
)
from burnrt.kernels.numpy.each import (
    ceil as ceil,
)
from burnrt.kernels.numpy.each import (
    cos as cos,
)
from burnrt.kernels.numpy.each import (
    erf as erf,
)
from burnrt.kernels.numpy.each import (
    exp as exp,
)
from burnrt.kernels.numpy.each import (
    expm1 as expm1,
)
from burnrt.kernels.numpy.each import (
    floor as floor,
)
from burnrt.kernels.numpy.each import (
    log as log,
)
from burnrt.kernels.numpy.each import (
    log1p as log1p,
)
from burnrt.kernels.numpy.each import (
    rint as rint,
)
from burnrt.kernels.numpy.each import (
    rsqrt as rsqrt,
)
from burnrt.kernels.numpy.each import (
    sin as sin,
)
from burnrt.kernels.numpy.each import (
    sqrt as sqrt,
)
from burnrt.kernels.numpy.each import (
    tan as tan,
)
from burnrt.kernels.numpy.each import (
    trunc as trunc,
)
from burnrt.kernels.numpy.laid import shaped as _shaped
from burnrt.kernels.numpy.laid import strided as _strided
from burnrt.kernels.numpy.quantizing import (
    dequantize as dequantize,
)
from burnrt.kernels.numpy.quantizing import (
    quantize as quantize,
)
from burnrt.kernels.numpy.reducing import (
    amax as amax,
)
from burnrt.kernels.numpy.reducing import (
    amin as amin,
)
from burnrt.kernels.numpy.reducing import (
    argmax as argmax,
)
from burnrt.kernels.numpy.reducing import (
    argmin as argmin,
)
from burnrt.kernels.numpy.reducing import (
    cumsum as cumsum,
)
from burnrt.kernels.numpy.reducing import (
    product as product,
)
from burnrt.kernels.numpy.reducing import (
    total as total,
)
from burnrt.kernels.numpy.reducing import (
    variance as variance,
)

if False:  # for type checkers
    from collections.abc import Sequence
    from typing import Any, TypeAlias

    import numpy.typing as npt

    from burnpack.types import Buffer, Dtype, Shape
    from burnrt.types import Pair

    Array: TypeAlias = npt.NDArray[Any]

_DTYPES: "dict[Dtype, str]" = {"F32": "<f4", "Flex32": "<f4", "F64": "<f8", "F16": "<f2"}


def buffer(count: int) -> "Array":
    return np.empty(count, np.float32)


def floats(values: "npt.ArrayLike") -> "Array":
    values = np.frombuffer(values, np.uint8) if isinstance(values, (bytes, bytearray)) else values
    found = np.array(values, np.float32)
    if found.ndim != 1:  # as of a list of lists, which a board's array refuses, too
        what = "numbers are given flat, and their shape beside them, as in tensor([1, 2, 3, 4], (2, 2))"
        raise InvalidTensor(what, found=list(found.shape))
    return found


def fill(out: "Array", start: int, count: int, value: float) -> None:
    np.asarray(out)[start : start + count] = value


def copy_rows(
    x: "Array", start: int, step: int, out: "Array", to: int, out_step: int, rows: int, size: int
) -> None:
    _strided(out, to, (rows, size), (out_step, 1))[:] = _strided(x, start, (rows, size), (step, 1))


def copy_strided(
    x: "Array",
    start: int,
    steps: "Shape",
    out: "Array",
    to: int,
    out_steps: "Shape",
    extents: "Shape",
    size: int,
) -> None:
    shape = (*extents, size)
    _strided(out, to, shape, (*out_steps, 1))[:] = _strided(x, start, shape, (*steps, 1))


def index_select(
    x: "Array", out: "Array", outer: int, size: int, inner: int, indices: "Sequence[int]"
) -> None:
    found = _shaped(x, (outer, size, inner)).take(indices, 1)
    _shaped(out, found.shape)[:] = found


def weights(data: "Buffer", dtype: "Dtype", count: int) -> "Array | None":
    if dtype == "BF16":
        return (np.frombuffer(data, "<u2", count).astype(np.uint32) << 16).view(np.float32)
    return np.frombuffer(data, _DTYPES[dtype], count) if dtype in _DTYPES else None


def add(a: "Array", b: "Array", out: "Array", count: int) -> None:
    np.add(a, b, out=_shaped(out, (count,)))


def multiply(a: "Array", b: "Array", out: "Array", count: int) -> None:
    np.multiply(a, b, out=_shaped(out, (count,)))


def lerp(start: "Array", end: "Array", share: "Array", out: "Array", count: int) -> None:
    start = np.asarray(start)
    np.add(start, np.asarray(share) * (np.asarray(end) - start), out=_shaped(out, (count,)))


def linear(
    x: "Array", weight: "Array", bias: "Array | None", out: "Array", rows: int, inputs: int, outputs: int
) -> None:
    out = _shaped(out, (rows, outputs))
    np.matmul(_shaped(x, (rows, inputs)), _shaped(weight, (inputs, outputs)), out=out)
    if bias is not None:
        out += bias


def conv2d(
    x: "Array",
    x_shape: "Shape",
    weight: "Array",
    weight_shape: "Shape",
    bias: "Array | None",
    out: "Array",
    out_shape: "Shape",
    stride: "Pair",
    padding: "Pair",
    dilation: "Pair",
    groups: int,
) -> None:
    excess = _excess(x_shape, out_shape, weight_shape[2:], stride, padding, dilation)
    x = _padded(_shaped(x, x_shape), padding, excess, 0.0)
    windows = _windows(x, weight_shape[2:], stride, dilation, out_shape[2:])
    weight, out = _shaped(weight, weight_shape), _shaped(out, out_shape)
    inputs, outputs = weight_shape[1], weight_shape[0] // groups
    if inputs == outputs == 1 < groups:
        _depthwise(windows, weight, out)
        groups = 0
    for group in range(groups):
        part = windows[:, group * inputs : (group + 1) * inputs]
        chosen = slice(group * outputs, (group + 1) * outputs)
        sums = np.tensordot(part, weight[chosen], ((1, 4, 5), (1, 2, 3)))
        out[:, chosen] = sums.transpose(0, 3, 1, 2)
    if bias is not None:
        out += np.asarray(bias, np.float32).reshape(1, -1, 1, 1)


def _depthwise(windows: "Array", weight: "Array", out: "Array") -> None:
    """Convolve each channel alone: the products of one tap of all windows are added at a time."""
    out[:] = 0
    for row, column in np.ndindex(*weight.shape[2:]):
        out += windows[..., row, column] * weight[:, 0, row, column].reshape(-1, 1, 1)


def conv_transpose2d(
    x: "Array",
    x_shape: "Shape",
    weight: "Array",
    weight_shape: "Shape",
    bias: "Array | None",
    out: "Array",
    out_shape: "Shape",
    stride: "Pair",
    padding: "Pair",
    dilation: "Pair",
    groups: int,
) -> None:
    x, weight, out = _shaped(x, x_shape), _shaped(weight, weight_shape), _shaped(out, out_shape)
    sizes = zip(x_shape[2:], stride, weight_shape[2:], dilation)
    reach = [(e - 1) * s + (k - 1) * d + 1 for e, s, k, d in sizes]
    size = [max(most, pad + extent) for most, pad, extent in zip(reach, padding, out_shape[2:])]
    sums = np.zeros((*out_shape[:2], *size), np.float32)
    inputs, outputs = weight_shape[0] // groups, weight_shape[1]
    for group in range(groups):
        channels = slice(group * inputs, (group + 1) * inputs)
        part = sums[:, group * outputs : (group + 1) * outputs]
        for row, column in np.ndindex(*weight_shape[2:]):
            # Where this tap adds the input: every stride-th place.
            rows, columns = [
                slice(tap * d, tap * d + (extent - 1) * s + 1, s)
                for tap, d, extent, s in zip((row, column), dilation, x_shape[2:], stride)
            ]
            products = np.tensordot(x[:, channels], weight[channels, :, row, column], (1, 0))
            part[:, :, rows, columns] += products.transpose(0, 3, 1, 2)
    down, right = padding
    out[:] = sums[:, :, down : down + out_shape[2], right : right + out_shape[3]]
    if bias is not None:
        out += np.asarray(bias, np.float32).reshape(1, -1, 1, 1)


def max_pool2d(
    x: "Array",
    x_shape: "Shape",
    out: "Array",
    out_shape: "Shape",
    kernel: "Pair",
    stride: "Pair",
    padding: "Pair",
    dilation: "Pair",
) -> None:
    excess = _excess(x_shape, out_shape, kernel, stride, padding, dilation)
    x = _padded(_shaped(x, x_shape), padding, excess, -np.inf)
    _windows(x, kernel, stride, dilation, out_shape[2:]).max((4, 5), out=_shaped(out, out_shape))


def avg_pool2d(
    x: "Array",
    x_shape: "Shape",
    out: "Array",
    out_shape: "Shape",
    kernel: "Pair",
    stride: "Pair",
    padding: "Pair",
    count_include_pad: bool,
) -> None:
    excess = _excess(x_shape, out_shape, kernel, stride, padding, (1, 1))
    sums = _windows(_padded(_shaped(x, x_shape), padding, excess, 0.0), kernel, stride, (1, 1), out_shape[2:])
    # Ones where something counts, summed by the same windows, are how much counts in each.
    inner = np.ones((1, 1) + tuple(x_shape[2:]), np.float32)
    counted = _padded(_padded(inner, padding, (0, 0), float(count_include_pad)), (0, 0), excess, 0.0)
    sizes = _windows(counted, kernel, stride, (1, 1), out_shape[2:]).sum((4, 5))
    np.divide(sums.sum((4, 5)), sizes, out=_shaped(out, out_shape))


def adaptive_avg_pool2d(x: "Array", x_shape: "Shape", out: "Array", out_shape: "Shape") -> None:
    x, out = _shaped(x, x_shape), _shaped(out, out_shape)
    for row in range(out_shape[2]):
        rows = _share(row, out_shape[2], x_shape[2])
        for column in range(out_shape[3]):
            x[:, :, rows, _share(column, out_shape[3], x_shape[3])].mean((2, 3), out=out[:, :, row, column])


def adaptive_max_pool2d(x: "Array", x_shape: "Shape", out: "Array", out_shape: "Shape") -> None:
    x, out = _shaped(x, x_shape), _shaped(out, out_shape)
    for row in range(out_shape[2]):
        rows = _share(row, out_shape[2], x_shape[2])
        for column in range(out_shape[3]):
            x[:, :, rows, _share(column, out_shape[3], x_shape[3])].max((2, 3), out=out[:, :, row, column])


def batch_norm(
    x: "Array",
    gamma: "Array",
    beta: "Array",
    mean: "Array",
    variance: "Array",
    epsilon: float,
    out: "Array",
    batch: int,
    channels: int,
    inner: int,
) -> None:
    scale = gamma / np.sqrt(np.asarray(variance, np.float32) + np.float32(epsilon))
    shift = beta - mean * scale
    out = _shaped(out, (batch, channels, inner))
    np.multiply(_shaped(x, (batch, channels, inner)), scale.reshape(-1, 1), out=out)
    out += shift.reshape(-1, 1)


@np.errstate(over="ignore", divide="ignore", invalid="ignore")
def layer_norm(
    x: "Array",
    gamma: "Array | None",
    beta: "Array | None",
    epsilon: float,
    out: "Array",
    rows: int,
    size: int,
) -> None:
    x, out = _shaped(x, (rows, size)), _shaped(out, (rows, size))
    variance = x.var(1, keepdims=True)
    np.subtract(x, x.mean(1, keepdims=True), out=out)
    out /= np.sqrt(variance + np.float32(epsilon))
    if gamma is not None:
        out *= gamma
    if beta is not None:
        out += beta


@np.errstate(over="ignore", divide="ignore", invalid="ignore")
def rms_norm(x: "Array", gamma: "Array | None", epsilon: float, out: "Array", rows: int, size: int) -> None:
    x, out = _shaped(x, (rows, size)), _shaped(out, (rows, size))
    np.divide(x, np.sqrt(np.square(x).mean(1, keepdims=True) + np.float32(epsilon)), out=out)
    if gamma is not None:
        out *= gamma


def affine(
    x: "Array", gamma: "Array", beta: "Array", out: "Array", batch: int, channels: int, inner: int
) -> None:
    out = _shaped(out, (batch, channels, inner))
    np.multiply(_shaped(x, (batch, channels, inner)), _shaped(gamma, (-1, 1)), out=out)
    out += _shaped(beta, (-1, 1))


def attention(
    query: "Array",
    key: "Array",
    value: "Array",
    masks: "Sequence[tuple[Any, ...]]",
    least: float,
    quiet: bool,
    scores: "Array",
    weights: "Array | None",
    out: "Array",
    sizes: tuple[int, int, int, int, int],
    steps: tuple[int, int, int],
) -> None:
    batch, queries, keys, heads, size = sizes
    shape, ours = (batch, heads, queries, size), (steps[0], size, steps[2], 1)
    others, theirs = (batch, heads, keys, size), (steps[1], size, steps[2], 1)
    # In one piece each: matrices that lie otherwise are multiplied without BLAS.
    key, value = (np.ascontiguousarray(_strided(given, 0, others, theirs)) for given in (key, value))
    query = np.ascontiguousarray(_strided(query, 0, shape, ours))
    every = np.matmul(query, key.transpose(0, 1, 3, 2))
    every /= np.float32(math.sqrt(size))
    for marks, batch_step, query_step, *first in masks:
        at, steps_of = sum(first), (batch_step, 0, query_step, 1)
        masked = _strided(memoryview(marks), at, (batch, 1, queries, keys), steps_of)
        if first:
            every += masked
        else:
            np.copyto(every, np.float32(least), where=masked != 0)
    hidden = np.isneginf(every).all(-1, keepdims=True) if masks else False
    (quiet_softmax if quiet else softmax)(every, every, batch * heads * queries, keys, 1)
    np.copyto(every, 0, where=hidden)
    if weights is not None:
        _shaped(weights, every.shape)[:] = every
    _strided(out, 0, shape, ours)[:] = np.matmul(every, value)


def embedding(x: "Array", weight: "Array", out: "Array", count: int, rows: int, size: int) -> None:
    x = np.asarray(x)
    for number in x[(x < 0) | (x >= rows) | (x != np.floor(x))]:
        raise InvalidTensor("no such row", "Embedding", expected="0..%d" % (rows - 1), found=number)
    _shaped(out, (count, size))[:] = _shaped(weight, (rows, size))[x.astype(np.int64)]


def relu(x: "Array", out: "Array", count: int) -> None:
    np.maximum(x, np.float32(0.0), out=_shaped(out, (count,)))


def clamp(x: "Array", low: float, high: float, out: "Array", count: int) -> None:
    np.clip(x, np.float32(low), np.float32(high), out=_shaped(out, (count,)))


def threshold(x: "Array", low: float, high: float, value: float, out: "Array", count: int) -> None:
    x = np.asarray(x)
    inside = (x >= np.float32(low)) & (x <= np.float32(high))
    _shaped(out, (count,))[:] = np.where(inside, np.float32(value), x)


def prelu(x: "Array", alpha: "Array", out: "Array", batch: int, channels: int, inner: int) -> None:
    x, alpha = _shaped(x, (batch, channels, inner)), np.asarray(alpha, np.float32).reshape(-1, 1)
    _shaped(out, x.shape)[:] = np.where(x < 0, alpha * x, x)


def hard_sigmoid(x: "Array", alpha: float, beta: float, out: "Array", count: int) -> None:
    x = np.asarray(x, np.float32)
    np.clip(x * np.float32(alpha) + np.float32(beta), 0, 1, out=_shaped(out, (count,)))


@np.errstate(over="ignore", invalid="ignore")
def hard_swish(x: "Array", out: "Array", count: int) -> None:
    x = np.asarray(x, np.float32)
    np.multiply(x, np.clip(x + 3, 0, 6) / 6, out=_shaped(out, (count,)))


@np.errstate(over="ignore", invalid="ignore")
def gelu(x: "Array", out: "Array", count: int) -> None:
    x = np.asarray(x, np.float64)
    erf = np.fromiter(map(math.erf, x * math.sqrt(0.5)), np.float64, count)
    _shaped(out, (count,))[:] = 0.5 * x * (1.0 + erf)


def sigmoid(x: "Array", out: "Array", count: int) -> None:
    x = np.asarray(x, np.float32)
    power = np.exp(-np.abs(x))
    np.divide(np.where(x > 0, np.float32(1.0), power), 1.0 + power, out=_shaped(out, (count,)))


@np.errstate(over="ignore", invalid="ignore")
def silu(x: "Array", out: "Array", count: int) -> None:
    share = np.empty(count, np.float32)
    sigmoid(x, share, count)
    np.multiply(x, share, out=_shaped(out, (count,)))


def tanh(x: "Array", out: "Array", count: int) -> None:
    np.tanh(x, out=_shaped(out, (count,)))


@np.errstate(over="ignore", invalid="ignore")
def softmax(x: "Array", out: "Array", outer: int, size: int, inner: int) -> None:
    x, out = _shaped(x, (outer, size, inner)), _shaped(out, (outer, size, inner))
    np.exp(x - x.max(1, keepdims=True), out=out)
    out /= out.sum(1, keepdims=True)


@np.errstate(over="ignore", invalid="ignore")
def quiet_softmax(x: "Array", out: "Array", outer: int, size: int, inner: int) -> None:
    x, out = _shaped(x, (outer, size, inner)), _shaped(out, (outer, size, inner))
    top = np.maximum(x.max(1, keepdims=True), np.float32(0.0))
    np.exp(x - top, out=out)
    out /= out.sum(1, keepdims=True) + np.exp(-top)


@np.errstate(over="ignore", invalid="ignore")
def log_softmax(x: "Array", out: "Array", outer: int, size: int, inner: int) -> None:
    x = _shaped(x, (outer, size, inner))
    x = x - x.max(1, keepdims=True)
    np.subtract(x, np.log(np.exp(x).sum(1, keepdims=True)), out=_shaped(out, (outer, size, inner)))


@np.errstate(over="ignore", invalid="ignore")
def gelu_tanh(x: "Array", out: "Array", count: int) -> None:
    x = np.asarray(x, np.float64)
    inner = math.sqrt(2.0 / math.pi) * (x + 0.044715 * x * x * x)
    _shaped(out, (count,))[:] = 0.5 * x * (1.0 + np.tanh(inner))


@np.errstate(over="ignore", invalid="ignore")
def elu(x: "Array", alpha: float, divisor: float, out: "Array", count: int) -> None:
    x = np.asarray(x, np.float32)
    powers = np.expm1(np.minimum(x, 0.0) / np.float32(divisor))
    _shaped(out, (count,))[:] = np.where(x <= 0, np.float32(alpha) * powers, x)


@np.errstate(over="ignore", invalid="ignore")
def softplus(x: "Array", beta: float, threshold: float, out: "Array", count: int) -> None:
    x = np.asarray(x, np.float32)
    scaled = x * np.float32(beta)
    soft = (np.maximum(scaled, 0.0) + np.log1p(np.exp(-np.abs(scaled)))) / np.float32(beta)
    _shaped(out, (count,))[:] = np.where(scaled > threshold, x, soft)


@np.errstate(over="ignore", invalid="ignore")
def mish(x: "Array", out: "Array", count: int) -> None:
    x = np.asarray(x, np.float32)
    softplus = np.maximum(x, 0.0) + np.log1p(np.exp(-np.abs(x)))
    np.multiply(x, np.tanh(softplus), out=_shaped(out, (count,)))


@np.errstate(over="ignore", invalid="ignore")
def softsign(x: "Array", out: "Array", count: int) -> None:
    x = np.asarray(x, np.float32)
    np.divide(x, 1.0 + np.abs(x), out=_shaped(out, (count,)))


@np.errstate(over="ignore", invalid="ignore")
def resample2d(
    x: "Array",
    x_shape: "Shape",
    out: "Array",
    out_shape: "Shape",
    rows: "Sequence[tuple[int, int, float]]",
    columns: "Sequence[tuple[int, int, float]]",
) -> None:
    x = _shaped(x, x_shape)
    for axis, lines in ((2, rows), (3, columns)):
        first, second, shares = [np.array(part) for part in zip(*lines)]
        shares = shares.astype(np.float32).reshape((-1, 1) if axis == 2 else -1)
        start = x.take(first, axis)
        x = np.where(shares == 0, start, start + shares * (x.take(second, axis) - start))
    _shaped(out, out_shape)[:] = x


def _padded(x: "Array", padding: "Sequence[int]", excess: "Sequence[int]", value: float) -> "Array":
    """Return `x` with `padding` on all sides of its planes, and `excess` more below and to the right."""
    if not any(padding) and not any(excess):
        return x
    edges = [(0, 0), (0, 0)] + [(pad, pad + more) for pad, more in zip(padding, excess)]
    return np.pad(x, edges, constant_values=value)


def _excess(
    x_shape: "Shape",
    out_shape: "Shape",
    kernel: "Sequence[int]",
    stride: "Pair",
    padding: "Pair",
    dilation: "Pair",
) -> list[int]:
    """Return how far the last windows reach beyond the padding, below and to the right."""
    ends = [(o - 1) * s + (k - 1) * d + 1 for o, s, k, d in zip(out_shape[2:], stride, kernel, dilation)]
    return [max(0, end - extent - 2 * pad) for end, extent, pad in zip(ends, x_shape[2:], padding)]


def _windows(
    x: "Array", kernel: "Sequence[int]", stride: "Pair", dilation: "Pair", out_size: "Sequence[int]"
) -> "Array":
    """Return a view of `x`, (batch, channels, height, width), as (batch, channels, *out_size, *kernel)."""
    planes, (down, right) = x.strides[:2], x.strides[2:]
    steps = (down * stride[0], right * stride[1], down * dilation[0], right * dilation[1])
    return as_strided(x, x.shape[:2] + tuple(out_size) + tuple(kernel), planes + steps, writeable=False)


def _share(index: int, parts: int, extent: int) -> slice:
    return slice(index * extent // parts, ((index + 1) * extent + parts - 1) // parts)


def fake_quantize(x: "Array", scale: float, low: int, high: int, out: "Array", count: int) -> None:
    scaled = np.clip(_shaped(x, (count,)) * np.float32(1.0 / scale), low, high)
    np.multiply(np.rint(scaled), np.float32(scale), out=_shaped(out, (count,)))
