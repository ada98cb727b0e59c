"""Convolutions, as PyTorch and Burn define them (the kernel is not flipped)."""

from burnpack.module import Param
from burnrt import kernels
from burnrt.nn.geometry import check_groups, set_padding, sliding
from burnrt.nn.layer import Layer

if False:  # for type checkers
    from collections.abc import Callable
    from typing import Any

    from burnpack.types import Shape
    from burnrt.types import Calls, NumberBuffer, Sizes
    from burnrt.value import Value


class Conv2d(Layer):
    """Convolve planes.

    weight: (out, in / groups, kernel height, kernel width). bias: (out), or None.
    Input [batch, in, height, width], output [batch, out, height, width].
    kernel_size, stride, padding, dilation: one number, or (vertical, horizontal); padding also
        "same" or "valid".
    """

    kernel_size: tuple[int, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...]
    dilation: tuple[int, ...]
    excess: tuple[int, ...]
    groups: int
    weight: "Param"
    bias: "Param | None"

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: "Sizes",
        stride: "Sizes" = 1,
        padding: "Sizes | str" = 0,
        dilation: "Sizes" = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: object = None,
        dtype: object = None,
    ) -> None:
        check_groups("Conv2d", in_channels, out_channels, groups)
        set_padding("Conv2d", self, 2, kernel_size, stride, padding, dilation, padding_mode)
        self.groups = groups
        self.weight = Param((out_channels, in_channels // groups) + self.kernel_size)
        self.bias = Param((out_channels,)) if bias else None

    def output_shape(self, shape: "Shape") -> "Shape":
        channels = self.weight.shape[1] * self.groups
        if len(shape) != 4 or shape[1] != channels:
            self.refuse(shape, "[batch, %d, height, width]" % channels)
        size = _slide(self, shape[2:])
        if min(size) < 1:
            self.refuse(shape, "a plane no smaller than the kernel")
        return (shape[0], self.weight.shape[0]) + size

    def bind(self, input: "Value", output: "Value") -> "Calls":
        return [_convolution(self, input.data, input.shape, self.weight.shape, output.data, output.shape)]


class Conv1d(Layer):
    """Convolve lines.

    weight: (out, in / groups, kernel). bias: (out), or None.
    Input [batch, in, length], output [batch, out, length].
    """

    kernel_size: tuple[int, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...]
    dilation: tuple[int, ...]
    excess: tuple[int, ...]
    groups: int
    weight: "Param"
    bias: "Param | None"

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: int | tuple[int],
        stride: int | tuple[int] = 1,
        padding: int | tuple[int] | str = 0,
        dilation: int | tuple[int] = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: object = None,
        dtype: object = None,
    ) -> None:
        check_groups("Conv1d", in_channels, out_channels, groups)
        set_padding("Conv1d", self, 1, kernel_size, stride, padding, dilation, padding_mode)
        # A line is a plane of height 1, and so is the kernel.
        self.kernel_size, self.stride = (1,) + self.kernel_size, (1,) + self.stride
        self.padding, self.excess = (0,) + self.padding, (0,) + self.excess
        self.dilation, self.groups = (1,) + self.dilation, groups
        self.weight = Param((out_channels, in_channels // groups, self.kernel_size[1]))
        self.bias = Param((out_channels,)) if bias else None

    def output_shape(self, shape: "Shape") -> "Shape":
        channels = self.weight.shape[1] * self.groups
        if len(shape) != 3 or shape[1] != channels:
            self.refuse(shape, "[batch, %d, length]" % channels)
        length = _slide(self, (1, shape[2]))[1]
        if length < 1:
            self.refuse(shape, "a line no shorter than the kernel")
        return (shape[0], self.weight.shape[0], length)

    def bind(self, input: "Value", output: "Value") -> "Calls":
        shapes = [_as_planes(shape) for shape in (input.shape, self.weight.shape, output.shape)]
        return [_convolution(self, input.data, shapes[0], shapes[1], output.data, shapes[2])]


def _convolution(
    layer: "Conv1d | Conv2d",
    x: "NumberBuffer",
    x_shape: "Shape",
    weight_shape: "Shape",
    out: "NumberBuffer",
    out_shape: "Shape",
) -> "tuple[Callable[..., object], tuple[Any, ...]]":
    weight, bias = layer.weights("weight"), layer.weights("bias")
    settings = (layer.stride, layer.padding, layer.dilation, layer.groups)
    return kernels.conv2d, (x, x_shape, weight, weight_shape, bias, out, out_shape) + settings


def _as_planes(shape: "Shape") -> "Shape":
    return tuple(shape[:2]) + (1, shape[2])


def _slide(layer: "Conv1d | Conv2d", size: "Shape") -> "Shape":
    sizes = zip(size, layer.kernel_size, layer.stride, layer.padding, layer.dilation, layer.excess)
    return tuple([sliding(*numbers) for numbers in sizes])
