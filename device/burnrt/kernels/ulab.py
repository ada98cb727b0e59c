"""Kernels on ulab's arrays. Shapes and contracts are those of the functions in `plain`.

Only where ulab's floats have 32 bits, as those of a file and of `array("f")` do: to wider ones all would have
to be copied. Buffers and weights are plain's, and arrays are laid over them for one call: ulab keeps no hold
of a buffer in whose middle an array begins, so none may outlive it. What ulab can't read in place, halves or
floats at an address that is no multiple of 4, is left to plain's kernels.

A result of ulab's is always a new array: unlike plain's, these kernels need room besides their output. They
work in parts to keep it small.
"""

from math import sqrt

from uctypes import addressof
from ulab import numpy as np

import burnrt.kernels.plain as plain
from burnrt.kernels.plain.windows import whole

if False:  # for type checkers
    from collections.abc import Callable
    from typing import Any

    from burnpack.types import Shape
    from burnrt.types import FloatBuffer, Numbers, Pair


try:  # a build may leave out any of them
    dot, exp, frombuffer, largest, mean = np.dot, np.exp, np.frombuffer, np.max, np.mean
    root, total, tangent, where, zeros = np.sqrt, np.sum, np.tanh, np.where, np.zeros
except AttributeError:
    raise ImportError("this ulab was built without some functions")

_SIZE = 4  # bytes of a float
_PART = 1024  # numbers at a time, where each is worked on for itself
_PATCHES = 4096  # numbers of a convolution's input at a time, each counted once a tap

if len(frombuffer(bytes(8))) != 8 // _SIZE:
    raise ImportError("this ulab's floats do not have 32 bits")


def linear(
    x: "Numbers",
    weight: "Numbers",
    bias: "Numbers | None",
    out: "FloatBuffer",
    rows: int,
    inputs: int,
    outputs: int,
) -> None:
    numbers, target = _parameter(x, rows * inputs), memoryview(out)
    matrix, added = _parameter(weight, inputs * outputs), _parameter(bias, outputs)
    if numbers is None or matrix is None or (added is None and bias is not None):
        plain.linear(x, weight, bias, out, rows, inputs, outputs)
        return
    matrix = matrix.reshape((inputs, outputs))
    for row in range(rows):
        sums = dot(numbers[row * inputs : (row + 1) * inputs], matrix)
        if added is not None:
            sums += added
        target[row * outputs : (row + 1) * outputs] = memoryview(sums)


def conv2d(
    x: "Numbers",
    x_shape: "Shape",
    weight: "Numbers",
    weight_shape: "Shape",
    bias: "Numbers | None",
    out: "FloatBuffer",
    out_shape: "Shape",
    stride: "Pair",
    padding: "Pair",
    dilation: "Pair",
    groups: int,
) -> None:
    outputs, channels, height, width = weight_shape
    taps = channels * height * width
    matrix, added = _parameter(weight, outputs * taps), _parameter(bias, outputs)
    if matrix is None or (added is None and bias is not None):
        settings = (out_shape, stride, padding, dilation, groups)
        plain.conv2d(x, x_shape, weight, weight_shape, bias, out, *settings)
        return
    matrix = matrix.reshape((outputs, taps))
    lines = frombuffer(x).reshape((x_shape[0] * x_shape[1] * x_shape[2], x_shape[3]))
    downs = _spans(x_shape[2], height, out_shape[2], stride[0], padding[0], dilation[0])
    acrosses = _spans(x_shape[3], width, out_shape[3], stride[1], padding[1], dilation[1])
    size = outputs // groups
    step = max(1, _PATCHES // (taps * out_shape[3]))
    for number in range(x_shape[0] * groups):
        part = lines[number * channels * x_shape[2] : (number + 1) * channels * x_shape[2]]
        first = number % groups * size
        for row in range(0, out_shape[2], step):
            rows = min(step, out_shape[2] - row)
            patches = _patches(part, channels, row, rows, downs, acrosses, stride, out_shape[3])
            sums = dot(matrix[first : first + size], patches)
            if added is not None:
                sums += added[first : first + size].reshape((size, 1))
            _spread(sums, out, number * size, row, rows, out_shape)


def _spans(
    extent: int, kernel: int, windows: int, stride: int, padding: int, dilation: int
) -> list[tuple[int, int, int]]:
    """Return for each tap the windows in which it lies inside the input, and where it is in the first one.

    Each is a tuple (first window, last + 1, place).
    """
    spans = []
    for offset in range(0, kernel * dilation, dilation):
        first, end = whole(extent, windows, offset, stride, padding)
        spans.append((first, end, first * stride - padding + offset))
    return spans


def _patches(
    lines: "Any",
    channels: int,
    row: int,
    rows: int,
    downs: list[tuple[int, int, int]],
    acrosses: list[tuple[int, int, int]],
    stride: "Pair",
    width: int,
) -> "Any":
    """Return what each tap meets in `rows` rows of the output, from `row` on, zeros in the padding.

    lines: (channels · height, width), the input. The result: (taps, rows · output width).
    """
    height = len(lines) // channels
    patches = zeros((channels * len(downs) * len(acrosses) * rows, width))
    at = -row
    for line in range(0, len(lines), height):
        for first, end, y in downs:
            top, bottom = max(first, row), min(end, row + rows)
            y += line + (top - first) * stride[0]
            below = y + (bottom - top - 1) * stride[0] + 1
            for left, right, x in acrosses:
                if top < bottom and left < right:
                    patch = patches[at + top : at + bottom, left:right]
                    # Adding to zeros: assigning to a slice takes ulab ten times as long.
                    patch += lines[
                        y : below : stride[0], x : x + (right - left - 1) * stride[1] + 1 : stride[1]
                    ]
                at += rows
    return patches.reshape((len(patches) // rows, rows * width))


def _spread(sums: "Any", out: "FloatBuffer", plane: int, row: int, rows: int, out_shape: "Shape") -> None:
    """Copy sums, (planes, rows · width), to the planes of `out` from number `plane` on, from row `row` on."""
    source, target = memoryview(sums), memoryview(out)
    size = rows * out_shape[3]
    to = (plane * out_shape[2] + row) * out_shape[3]
    for start in range(0, len(source), size):
        target[to : to + size] = source[start : start + size]
        to += out_shape[2] * out_shape[3]


def batch_norm(
    x: "Numbers",
    gamma: "Numbers",
    beta: "Numbers",
    mean: "Numbers",
    variance: "Numbers",
    epsilon: float,
    out: "FloatBuffer",
    batch: int,
    channels: int,
    inner: int,
) -> None:
    given = [_parameter(numbers, channels) for numbers in (gamma, beta, mean, variance)]
    if any(array is None for array in given):
        plain.batch_norm(x, gamma, beta, mean, variance, epsilon, out, batch, channels, inner)
        return
    scale = given[0] / root(given[3] + epsilon)
    _scale(x, scale, given[1] - given[2] * scale, out, batch, channels, inner)


def affine(
    x: "Numbers", gamma: "Numbers", beta: "Numbers", out: "FloatBuffer", batch: int, channels: int, inner: int
) -> None:
    scale, shift = _parameter(gamma, channels), _parameter(beta, channels)
    if scale is None or shift is None:
        plain.affine(x, gamma, beta, out, batch, channels, inner)
        return
    _scale(x, scale, shift, out, batch, channels, inner)


def _scale(
    x: "Numbers", scale: "Any", shift: "Any", out: "FloatBuffer", batch: int, channels: int, inner: int
) -> None:
    """out = x · scale + shift, some channels at a time."""
    lines, target = frombuffer(x).reshape((batch * channels, inner)), memoryview(out)
    scale, shift = scale.reshape((channels, 1)), shift.reshape((channels, 1))
    step = max(1, _PART // inner)
    for image in range(0, batch * channels, channels):
        for first in range(0, channels, step):
            end = min(first + step, channels)
            part = lines[image + first : image + end] * scale[first:end]
            part += shift[first:end]
            target[(image + first) * inner : (image + end) * inner] = memoryview(part)


def layer_norm(
    x: "Numbers",
    gamma: "Numbers | None",
    beta: "Numbers | None",
    epsilon: float,
    out: "FloatBuffer",
    rows: int,
    size: int,
) -> None:
    factors, added = _parameter(gamma, size), _parameter(beta, size)
    if (factors is None and gamma is not None) or (added is None and beta is not None):
        plain.layer_norm(x, gamma, beta, epsilon, out, rows, size)
        return
    numbers, target = frombuffer(x), memoryview(out)
    for start in range(0, rows * size, size):
        row = numbers[start : start + size]
        row = row - mean(row)
        square = total(row * row) / size + epsilon
        row *= 1.0 / sqrt(square) if square else float("inf")
        if factors is not None:
            row *= factors
        if added is not None:
            row += added
        target[start : start + size] = memoryview(row)


def adaptive_avg_pool2d(x: "Numbers", x_shape: "Shape", out: "FloatBuffer", out_shape: "Shape") -> None:
    if out_shape[2:] != (1, 1):
        plain.adaptive_avg_pool2d(x, x_shape, out, out_shape)
        return
    planes = out_shape[0] * out_shape[1]
    means = mean(frombuffer(x).reshape((planes, x_shape[2] * x_shape[3])), axis=1)
    memoryview(out)[:planes] = memoryview(means)


def softmax(x: "Numbers", out: "FloatBuffer", outer: int, size: int, inner: int) -> None:
    if inner != 1:
        plain.softmax(x, out, outer, size, inner)
        return
    numbers, target = frombuffer(x), memoryview(out)
    for start in range(0, outer * size, size):
        row = numbers[start : start + size]
        powers = exp(row - largest(row))
        powers /= total(powers)
        target[start : start + size] = memoryview(powers)


def add(a: "Any", b: "Any", out: "FloatBuffer", count: int) -> None:
    first, second, target = _parameter(a, count), _parameter(b, count), memoryview(out)
    if first is None or second is None:
        plain.add(a, b, out, count)
        return
    for start in range(0, count, _PART):
        end = min(start + _PART, count)
        target[start:end] = memoryview(first[start:end] + second[start:end])


def relu(x: "Numbers", out: "FloatBuffer", count: int) -> None:
    _each(_relu, x, out, count)


def sigmoid(x: "Numbers", out: "FloatBuffer", count: int) -> None:
    _each(_sigmoid, x, out, count)


def tanh(x: "Numbers", out: "FloatBuffer", count: int) -> None:
    _each(tangent, x, out, count)


def _relu(numbers: "Any") -> "Any":
    return where(numbers < 0.0, 0.0, numbers)  # not `maximum`, which loses NaN


def _sigmoid(numbers: "Any") -> "Any":
    powers = exp(numbers * -1.0)  # may be infinite, and leads to 0 then
    powers += 1.0
    return 1.0 / powers


def _each(function: "Callable[[Any], Any]", x: "Numbers", out: "FloatBuffer", count: int) -> None:
    """Put what `function` makes of each number into `out`."""
    numbers, target = frombuffer(x), memoryview(out)
    for start in range(0, count, _PART):
        end = min(start + _PART, count)
        target[start:end] = memoryview(function(numbers[start:end]))


def _parameter(numbers: "Numbers | None", count: int) -> "Any":
    """Return an array laid over `count` floats; None for nothing, and for what ulab can't read there."""
    array = frombuffer(numbers)  # None for what is no buffer; one of wider floats has another length
    if array is None or len(array) != count or addressof(numbers) % _SIZE:
        return None
    return array
