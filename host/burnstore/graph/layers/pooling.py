"""Windows of layers, and the means that pools take."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from burnpack.dtype import count
from burnpack.errors import Unsupported
from burnrt.trace import Step
from burnstore.graph.following import Maker
from burnstore.graph.layers.step import behind_the_batch
from burnstore.graph.operations import AveragePool, Linear, MaxPool, Numbers, Operation, Pair, Window


def window_of(step: Step, dilation: Pair) -> Window:
    """Return the windows of a layer that slides."""
    layer: Any = step.layer
    planes = _planes(step)
    return Window(planes[0], planes[1], layer.kernel_size, layer.stride, layer.padding, dilation)


def _planes(step: Step) -> list[Any]:
    """Return height and width of the input and of the output; a line is a plane of height 1."""
    return [(1, *shape[2:])[-2:] for shape in (step.inputs[0].shape, step.output.shape)]


def average(step: Step, layer: Any, common: Any) -> Operation:
    """Return the operation of an AvgPool2d."""
    window = window_of(step, (1, 1))
    inside = _areas([len(span) for span in window.spans(axis)] for axis in (0, 1))
    divisors = inside
    if layer.divisor_override is not None:
        if layer.divisor_override < 0:
            raise Unsupported("an average can't be divided by less than 0", step.name)
        divisors = np.full(len(inside), layer.divisor_override)
    elif layer.count_include_pad:
        divisors = _areas(_reaches(window, axis) for axis in (0, 1))
    if (inside == inside[0]).all() and (divisors == divisors[0]).all():
        inside, divisors = inside[:1], divisors[:1]
    return _pool(step, common, window, inside, divisors)


def adaptive_average(step: Step, layer: Any, common: Any) -> Operation:
    """Return the operation of an AdaptiveAvgPool2d.

    Parts that are no windows of one size and stride become a matrix: each plane is a row, each part a mean
    of some of its places.
    """
    planes = _planes(step)
    down, right = _parts(step)
    window = _even(step)
    if window is not None:
        area = np.full(1, count(window.kernel))
        return _pool(step, common, window, area, area)
    means: Any = np.kron(_means(down, planes[0][0]), _means(right, planes[0][1]))
    channels, bias = step.output.shape[1], np.zeros(len(means))
    return Linear(**common, rows=channels, weight=means, bias=bias, per="channel")


def adaptive_largest(step: Step, layer: Any, common: Any) -> Operation:
    """Return the operation of an AdaptiveMaxPool2d. Raises `Unsupported` for parts of several sizes."""
    window = _even(step)
    if window is None:
        found = list(step.inputs[0].shape)
        raise Unsupported("its parts are not of one size, as integers need them", step.name, found=found)
    return MaxPool(**common, channels=step.output.shape[1], window=window)


def _parts(step: Step) -> list[list[range]]:
    """Return the places of each part, of rows and of columns."""
    return [_shares(*extents) for extents in zip(*_planes(step), strict=True)]


def _even(step: Step) -> Window | None:
    """Return the windows that are the parts of an adaptive pool, or None where none of one size are."""
    planes, (down, right) = _planes(step), _parts(step)
    window = Window(planes[0], planes[1], (len(down[0]), len(right[0])), (_stride(down), _stride(right)))
    return window if (window.spans(0), window.spans(1)) == (down, right) else None


def _pool(
    step: Step, common: Any, window: Window, inside: NDArray[np.int64], divisors: NDArray[np.int64]
) -> Operation:
    channels = step.output.shape[1]
    return AveragePool(**common, channels=channels, window=window, inside=inside, divisors=divisors)


def _areas(sides: Any) -> NDArray[np.int64]:
    """Return the areas of windows from their heights and their widths, row by row."""
    heights, widths = sides
    found: NDArray[np.int64] = np.outer(heights, widths).reshape(-1)
    return found


def _reaches(window: Window, axis: int) -> list[int]:
    """Return how much of each window along an axis lies in the plane or its padding."""
    kernel, stride = window.kernel[axis], window.stride[axis]
    end = window.size[axis] + 2 * window.padding[axis]
    return [min(kernel, end - index * stride) for index in range(window.out_size[axis])]


def _shares(extent: int, parts: int) -> list[range]:
    """Return the places of each part of an extent, which may have some in common."""
    return [range(i * extent // parts, -(-(i + 1) * extent // parts)) for i in range(parts)]


def _stride(parts: list[range]) -> int:
    return max(1, parts[1].start) if len(parts) > 1 else 1


def _means(parts: list[range], extent: int) -> Numbers:
    """Return the matrix that takes the mean of each part, (parts, extent)."""
    found = np.zeros((len(parts), extent))
    for row, part in zip(found, parts, strict=True):
        row[part.start : part.stop] = 1 / len(part)
    return found


def _max_pool(step: Step, layer: Any, common: Any) -> Operation:
    return MaxPool(**common, channels=step.output.shape[1], window=window_of(step, layer.dilation))


POOLS: dict[str, Maker] = {
    "MaxPool1d": behind_the_batch(_max_pool),
    "MaxPool2d": behind_the_batch(_max_pool),
    "AvgPool1d": behind_the_batch(average),
    "AvgPool2d": behind_the_batch(average),
    "AdaptiveAvgPool1d": behind_the_batch(adaptive_average),
    "AdaptiveAvgPool2d": behind_the_batch(adaptive_average),
    "AdaptiveMaxPool1d": behind_the_batch(adaptive_largest),
    "AdaptiveMaxPool2d": behind_the_batch(adaptive_largest),
}
