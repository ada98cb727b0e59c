"""Pooling along lines. Input [batch, channels, length]; a line is a plane of height 1."""

from burnrt.nn.geometry import as_planes
from burnrt.nn.pool import AdaptiveAvgPool2d, AdaptiveMaxPool2d, AvgPool2d, MaxPool2d

if False:  # for type checkers
    from collections.abc import Callable
    from typing import Any

    from burnpack.types import Shape
    from burnrt.nn.layer import Layer
    from burnrt.types import AnySizes, Calls
    from burnrt.value import Value


class MaxPool1d(MaxPool2d):
    """Take the largest number of each window.

    kernel_size, padding, dilation: one number.
    stride: the same; None is the kernel's size.
    return_indices: False, as indices are not computed.
    ceil_mode: whether a window may begin inside the input and end behind it.

    Input [batch, channels, length], output the same with its own extents.
    """

    def __init__(
        self,
        kernel_size: "AnySizes",
        stride: "AnySizes | None" = None,
        padding: "AnySizes" = 0,
        dilation: "AnySizes" = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None:
        sizes = (_across(kernel_size), _across(stride), _along(padding), _across(dilation))
        super().__init__(*sizes, return_indices, ceil_mode)

    def output_shape(self, shape: "Shape") -> "Shape":
        return _line_shape(self, shape, super().output_shape)

    def bind(self, input: "Value", output: "Value") -> "Calls":
        return super().bind(_planes(input), _planes(output))


class AvgPool1d(AvgPool2d):
    """Take the mean of each window.

    kernel_size, padding: one number.
    stride: the same; None is the kernel's size.
    ceil_mode: whether a window may begin inside the input and end behind it.
    count_include_pad: whether padding counts, as zeros.

    Input [batch, channels, length], output the same with its own extents.
    """

    def __init__(
        self,
        kernel_size: "AnySizes",
        stride: "AnySizes | None" = None,
        padding: "AnySizes" = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None:
        sizes = (_across(kernel_size), _across(stride), _along(padding))
        super().__init__(*sizes, ceil_mode, count_include_pad)

    def output_shape(self, shape: "Shape") -> "Shape":
        return _line_shape(self, shape, super().output_shape)

    def bind(self, input: "Value", output: "Value") -> "Calls":
        return super().bind(_planes(input), _planes(output))


class AdaptiveAvgPool1d(AdaptiveAvgPool2d):
    """Divide each line evenly into parts and take the mean of each.

    output_size: how many parts. 1 is the global average.

    Input [batch, channels, length], output [batch, channels, output_size].
    """

    def __init__(self, output_size: "AnySizes") -> None:
        super().__init__(_across(output_size))

    def output_shape(self, shape: "Shape") -> "Shape":
        return _line_shape(self, shape, super().output_shape)

    def bind(self, input: "Value", output: "Value") -> "Calls":
        return super().bind(_planes(input), _planes(output))


class AdaptiveMaxPool1d(AdaptiveMaxPool2d):
    """Divide each line evenly into parts and take the largest number of each.

    output_size: how many parts.
    return_indices: False, as indices are not computed.

    Input [batch, channels, length], output [batch, channels, output_size].
    """

    def __init__(self, output_size: "AnySizes", return_indices: bool = False) -> None:
        super().__init__(_across(output_size), return_indices)

    def output_shape(self, shape: "Shape") -> "Shape":
        return _line_shape(self, shape, super().output_shape)

    def bind(self, input: "Value", output: "Value") -> "Calls":
        return super().bind(_planes(input), _planes(output))


def _across(value: "AnySizes | None") -> "Any":
    return None if value is None else (1,) + _numbers(value)


def _along(value: "AnySizes") -> "Any":
    return (0,) + _numbers(value)


def _numbers(value: "AnySizes") -> "Any":
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def _line_shape(layer: "Layer", shape: "Shape", plane_shape: "Callable[[Shape], Shape]") -> "Shape":
    """Return the shape of the output, of which `plane_shape` tells that of planes of height 1."""
    if len(shape) != 3:
        layer.refuse(shape, "[batch, channels, length]")
    found = plane_shape((shape[0], shape[1], 1, shape[2]))
    return tuple(found[:2]) + (found[3],)


def _planes(value: "Value") -> "Value":
    return value.reshape(as_planes(value.shape, 2, 1))
