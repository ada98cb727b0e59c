"""Convolutions with weights that are given, in the layouts of the layers."""

from burnrt.functional.given import extents, through
from burnrt.nn.conv import Conv1d, Conv2d
from burnrt.nn.conv_transpose import ConvTranspose1d, ConvTranspose2d

if False:  # for type checkers
    from typing import Any

    from burnrt.types import AnySizes, Padding
    from burnrt.value import Value


def conv1d(
    input: "Value",
    weight: "Any",
    bias: "Any" = None,
    stride: "AnySizes" = 1,
    padding: "Padding" = 0,
    dilation: "AnySizes" = 1,
    groups: int = 1,
) -> "Value":
    """Return what an `nn.Conv1d` makes. weight: (out, in / groups, kernel). bias: (out), or None."""
    return _convolved(Conv1d, 3, input, weight, bias, (stride, padding, dilation, groups))


def conv2d(
    input: "Value",
    weight: "Any",
    bias: "Any" = None,
    stride: "AnySizes" = 1,
    padding: "Padding" = 0,
    dilation: "AnySizes" = 1,
    groups: int = 1,
) -> "Value":
    """Return what an `nn.Conv2d` makes.

    weight: (out, in / groups, kernel height, kernel width). bias: (out), or None.
    """
    return _convolved(Conv2d, 4, input, weight, bias, (stride, padding, dilation, groups))


def conv_transpose1d(
    input: "Value",
    weight: "Any",
    bias: "Any" = None,
    stride: "AnySizes" = 1,
    padding: "AnySizes" = 0,
    output_padding: "AnySizes" = 0,
    groups: int = 1,
    dilation: "AnySizes" = 1,
) -> "Value":
    """Return what an `nn.ConvTranspose1d` makes. weight: (in, out / groups, kernel). bias: (out), or None."""
    settings = (stride, padding, output_padding, groups, dilation)
    return _spread(ConvTranspose1d, 3, input, weight, bias, settings)


def conv_transpose2d(
    input: "Value",
    weight: "Any",
    bias: "Any" = None,
    stride: "AnySizes" = 1,
    padding: "AnySizes" = 0,
    output_padding: "AnySizes" = 0,
    groups: int = 1,
    dilation: "AnySizes" = 1,
) -> "Value":
    """Return what an `nn.ConvTranspose2d` makes.

    weight: (in, out / groups, kernel height, kernel width). bias: (out), or None.
    """
    settings = (stride, padding, output_padding, groups, dilation)
    return _spread(ConvTranspose2d, 4, input, weight, bias, settings)


def _convolved(
    layer: "Any", rank: int, input: "Value", weight: "Any", bias: "Any", settings: "tuple[Any, ...]"
) -> "Value":
    outputs, inputs, *kernel = extents(weight, rank, layer.__name__)
    sizes = (inputs * _count(settings[-1]), outputs, tuple(kernel))
    return _made(layer(*sizes, *settings, bias is not None), input, weight, bias, rank)


def _spread(
    layer: "Any", rank: int, input: "Value", weight: "Any", bias: "Any", settings: "tuple[Any, ...]"
) -> "Value":
    stride, padding, more, groups, dilation = settings
    inputs, outputs, *kernel = extents(weight, rank, layer.__name__)
    sizes = (inputs, outputs * _count(groups), tuple(kernel))
    made = layer(*sizes, stride, padding, more, groups, bias is not None, dilation)
    return _made(made, input, weight, bias, rank)


def _count(groups: object) -> int:
    """Return how many groups there are; what is no such number, the layer refuses."""
    return groups if isinstance(groups, int) else 1


def _made(layer: "Any", input: "Value", weight: "Any", bias: "Any", rank: int) -> "Value":
    shape = getattr(input, "shape", ())
    if len(shape) != rank - 1:
        return through(layer, input, weight=weight, bias=bias)
    found = through(
        layer, input.reshape((1,) + shape), weight=weight, bias=bias
    )  # one sample, without a batch
    return found.reshape(found.shape[1:])
