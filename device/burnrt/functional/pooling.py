"""Pools. Inputs are [batch, channels, ...], or of one sample [channels, ...]."""

from burnrt.nn.pool import AdaptiveAvgPool2d, AdaptiveMaxPool2d, AvgPool2d, MaxPool2d
from burnrt.nn.pool1d import AdaptiveAvgPool1d, AdaptiveMaxPool1d, AvgPool1d, MaxPool1d

if False:  # for type checkers
    from collections.abc import Sequence
    from typing import Any

    from burnrt.types import AnySizes, Sizes
    from burnrt.value import Value


def max_pool1d(
    input: "Value",
    kernel_size: "AnySizes",
    stride: "AnySizes | None" = None,
    padding: "AnySizes" = 0,
    dilation: "AnySizes" = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> "Value":
    """Return what an `nn.MaxPool1d` makes."""
    return _pooled(MaxPool1d(kernel_size, stride, padding, dilation, return_indices, ceil_mode), input, 3)


def max_pool2d(
    input: "Value",
    kernel_size: "Sizes",
    stride: "Sizes | None" = None,
    padding: "Sizes" = 0,
    dilation: "Sizes" = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> "Value":
    """Return what an `nn.MaxPool2d` makes."""
    return _pooled(MaxPool2d(kernel_size, stride, padding, dilation, return_indices, ceil_mode), input, 4)


def avg_pool1d(
    input: "Value",
    kernel_size: "AnySizes",
    stride: "AnySizes | None" = None,
    padding: "AnySizes" = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> "Value":
    """Return what an `nn.AvgPool1d` makes."""
    return _pooled(AvgPool1d(kernel_size, stride, padding, ceil_mode, count_include_pad), input, 3)


def avg_pool2d(
    input: "Value",
    kernel_size: "Sizes",
    stride: "Sizes | None" = None,
    padding: "Sizes" = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> "Value":
    """Return what an `nn.AvgPool2d` makes."""
    settings = (kernel_size, stride, padding, ceil_mode, count_include_pad, divisor_override)
    return _pooled(AvgPool2d(*settings), input, 4)


def adaptive_avg_pool1d(input: "Value", output_size: "AnySizes") -> "Value":
    """Return what an `nn.AdaptiveAvgPool1d` makes."""
    return _pooled(AdaptiveAvgPool1d(output_size), input, 3)


def adaptive_avg_pool2d(input: "Value", output_size: "int | Sequence[int | None]") -> "Value":
    """Return what an `nn.AdaptiveAvgPool2d` makes."""
    return _pooled(AdaptiveAvgPool2d(output_size), input, 4)


def adaptive_max_pool1d(input: "Value", output_size: "AnySizes", return_indices: bool = False) -> "Value":
    """Return what an `nn.AdaptiveMaxPool1d` makes."""
    return _pooled(AdaptiveMaxPool1d(output_size, return_indices), input, 3)


def adaptive_max_pool2d(
    input: "Value", output_size: "int | Sequence[int | None]", return_indices: bool = False
) -> "Value":
    """Return what an `nn.AdaptiveMaxPool2d` makes."""
    return _pooled(AdaptiveMaxPool2d(output_size, return_indices), input, 4)


def _pooled(layer: "Any", input: "Value", rank: int) -> "Value":
    shape = getattr(input, "shape", ())
    if len(shape) != rank - 1:
        return layer(input)  # type: ignore[no-any-return] # a call gives what `forward` does
    found: "Value" = layer(input.reshape((1,) + shape))  # one sample, without a batch
    return found.reshape(found.shape[1:])
