"""Channels that become places of planes, and back; windows that become columns."""

from burnrt.functional.copies import Copies, moved
from burnrt.functional.operands import operands
from burnrt.functional.wholes import dimension as place_of
from burnrt.functional.wholes import whole
from burnrt.nn.copying import row_major
from burnrt.nn.geometry import sliding
from burnrt.nn.shuffle import ChannelShuffle, PixelShuffle, PixelUnshuffle, Unfold

if False:  # for type checkers
    from typing import Any

    from burnrt.nn.layer import Layer
    from burnrt.value import Value


def pixel_shuffle(input: "Any", upscale_factor: int) -> "Value":
    """Return (..., channels · r², height, width) as (..., channels, height · r, width · r)."""
    return _through(PixelShuffle(upscale_factor), input)


def pixel_unshuffle(input: "Any", downscale_factor: int) -> "Value":
    """Return (..., channels, height · r, width · r) as (..., channels · r², height, width)."""
    return _through(PixelUnshuffle(downscale_factor), input)


def channel_shuffle(input: "Any", groups: int) -> "Value":
    """Return [batch, channels, ...] with the channels of groups in turn."""
    return _through(ChannelShuffle(groups), input)


def unfold(
    input: "Any", kernel_size: "Any", dilation: "Any" = 1, padding: "Any" = 0, stride: "Any" = 1
) -> "Value":
    """Return the windows of planes as columns: [batch, channels · numbers of a window, windows]."""
    return _through(Unfold(kernel_size, dilation, padding, stride), input)


class Windows(Copies):
    """Windows of a dimension, which may overlap."""


def windows(input: "Any", dimension: int, size: int, step: int) -> "Value":
    """Return what a tensor's `unfold` does: the windows of a dimension, the last dimension of the result."""
    value = operands(input)[0]
    spans = row_major(value.shape)
    dim = place_of(dimension, len(spans))
    size, step = whole("size", 1, size) + whole("step", 1, step)
    extent, by = spans[dim]
    spans[dim] = (whole("size: windows", 1, sliding(extent, size, step, 0, 1))[0], step * by)
    spans.append((size, by))
    return moved(Windows, value, [extent for extent, _ in spans], spans)


def _through(layer: "Layer", input: "Any") -> "Value":
    return layer(operands(input)[0])  # type: ignore[no-any-return] # a call gives what `forward` does
