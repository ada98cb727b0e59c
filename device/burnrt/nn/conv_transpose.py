"""Transposed convolutions, as PyTorch and Burn define them: each number is spread over a window."""

from burnpack.errors import InvalidTensor
from burnpack.module import Param
from burnrt import kernels
from burnrt.nn.geometry import (
    as_planes,
    check_at_least,
    check_groups,
    check_padding_mode,
    per_dimension,
    set_windows,
)
from burnrt.nn.layer import Layer

if False:  # for type checkers
    from burnpack.types import Shape
    from burnrt.types import AnySizes, Calls, SpreadWindows
    from burnrt.value import Value


class Transposed(Layer):
    """What those of lines, planes and solids share. rank: of how many dimensions the windows are."""

    kernel_size: tuple[int, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...]
    dilation: tuple[int, ...]
    output_padding: tuple[int, ...]
    groups: int
    weight: "Param"
    bias: "Param | None"

    def __init__(
        self,
        rank: int,
        in_channels: int,
        out_channels: int,
        sizes: "tuple[AnySizes, AnySizes, AnySizes, AnySizes]",
        output_padding: "AnySizes",
        groups: int,
        bias: bool,
        padding_mode: str,
    ) -> None:
        name = type(self).__name__
        check_padding_mode(name, padding_mode)
        check_groups(name, in_channels, out_channels, groups)
        set_windows(name, self, rank, *sizes)
        _set_output_padding(name, self, rank, output_padding)
        self.groups = groups
        self.weight = Param((in_channels, out_channels // groups) + self.kernel_size)
        self.bias = Param((out_channels,)) if bias else None

    def output_shape(self, shape: "Shape") -> "Shape":
        rank, channels = len(self.kernel_size), self.weight.shape[0]
        if len(shape) != rank + 2 or shape[1] != channels or min(shape) < 1:
            self.refuse(shape, "[batch, %d, %s]" % (channels, ("length", "height, width")[rank - 1]))
        sizes = (self.kernel_size, self.stride, self.padding, self.dilation, self.output_padding)
        size = tuple([_spreading(*numbers) for numbers in zip(shape[2:], *sizes)])
        if min(size) < 1:
            self.refuse(shape, "more than the padding takes away")
        return (shape[0], self.weight.shape[1] * self.groups) + size

    def bind(self, input: "Value", output: "Value") -> "Calls":
        weight, bias = self.weights("weight"), self.weights("bias")
        shapes = [as_planes(shape, 2, 1) for shape in (input.shape, self.weight.shape, output.shape)]
        settings = (
            as_planes(self.stride, 0, 1),
            as_planes(self.padding, 0, 0),
            as_planes(self.dilation, 0, 1),
            self.groups,
        )
        numbers = (input.data, shapes[0], weight, shapes[1], bias, output.data, shapes[2])
        return [(kernels.conv_transpose2d, numbers + settings)]


class ConvTranspose1d(Transposed):
    """Spread each number of a line over a window: the transpose of a convolution of lines.

    in_channels, out_channels: the extents `in` and `out`, both multiples of groups.
    kernel_size, stride, padding, dilation: one number.
    output_padding: how much longer than it has to be the output is.
    padding_mode: "zeros", as no other is computed.
    weight: (in, out / groups, kernel).
    bias: (out), or None where the argument is False.

    Input [batch, in, length], output [batch, out, length].
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: "AnySizes",
        stride: "AnySizes" = 1,
        padding: "AnySizes" = 0,
        output_padding: "AnySizes" = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: "AnySizes" = 1,
        padding_mode: str = "zeros",
        device: object = None,
        dtype: object = None,
    ) -> None:
        sizes = (kernel_size, stride, padding, dilation)
        super().__init__(1, in_channels, out_channels, sizes, output_padding, groups, bias, padding_mode)


class ConvTranspose2d(Transposed):
    """Spread each number of a plane over a window: the transpose of a convolution of planes.

    in_channels, out_channels: the extents `in` and `out`, both multiples of groups.
    kernel_size, stride, padding, dilation: one number, or (vertical, horizontal).
    output_padding: how much higher and wider than it has to be the output is.
    padding_mode: "zeros", as no other is computed.
    weight: (in, out / groups, kernel height, kernel width).
    bias: (out), or None where the argument is False.

    Input [batch, in, height, width], output [batch, out, height, width].
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: "AnySizes",
        stride: "AnySizes" = 1,
        padding: "AnySizes" = 0,
        output_padding: "AnySizes" = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: "AnySizes" = 1,
        padding_mode: str = "zeros",
        device: object = None,
        dtype: object = None,
    ) -> None:
        sizes = (kernel_size, stride, padding, dilation)
        super().__init__(2, in_channels, out_channels, sizes, output_padding, groups, bias, padding_mode)


def _set_output_padding(name: str, layer: "SpreadWindows", rank: int, output_padding: "AnySizes") -> None:
    """Give a transposed convolution what its output is longer by; raise `InvalidTensor` where it can't be."""
    layer.output_padding = per_dimension(name, output_padding, rank)
    check_at_least(0, name, output_padding=layer.output_padding)
    for more, stride, dilation in zip(layer.output_padding, layer.stride, layer.dilation):
        if more >= max(stride, dilation):
            expected = "less than the stride or the dilation, %d" % max(stride, dilation)
            raise InvalidTensor("output_padding is too large", name, expected=expected, found=more)


def _spreading(extent: int, kernel: int, stride: int, padding: int, dilation: int, more: int) -> int:
    """Return the extent of which `extent` windows can be taken, and `more`: as `sliding` the other way."""
    return (extent - 1) * stride - 2 * padding + dilation * (kernel - 1) + more + 1
