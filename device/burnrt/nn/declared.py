"""Layers that can be described and not run yet: convolutions of solids, and deformable ones."""

from burnpack.errors import Unsupported
from burnpack.module import Param
from burnrt.nn.geometry import check_groups, check_padding_mode, set_output_padding, set_padding, set_windows
from burnrt.nn.layer import Layer

if False:  # for type checkers
    from typing import Any, NoReturn

    from burnpack.types import Shape
    from burnrt.types import AnySizes, Padding
    from burnrt.value import Value


class Declared(Layer):
    """A layer whose parameters are known and whose forward pass is not there yet.

    It can be described, loaded, converted and saved; calling it raises `Unsupported`.
    """

    def output_shape(self, shape: "Shape") -> "NoReturn":
        self.forward(shape)

    def forward(self, *inputs: "Any") -> "NoReturn":
        raise Unsupported("has no forward pass yet", type(self).__name__)

    def run(self, input: "Value", output: "Value") -> "NoReturn":
        self.forward(input)


class _Convolution(Declared):
    """What all share: their sizes, one number or one for each dimension, and the bias: (out), or None."""

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
        rank: int,
        in_channels: int,
        out_channels: int,
        sizes: "tuple[AnySizes, AnySizes, Padding, AnySizes]",
        groups: int,
        bias: bool,
        padding_mode: str = "zeros",
    ) -> None:
        name = type(self).__name__
        check_groups(name, in_channels, out_channels, groups)
        set_padding(name, self, rank, *sizes, padding_mode)
        self.groups = groups
        self.weight = Param((out_channels, in_channels // groups) + self.kernel_size)
        self.bias = Param((out_channels,)) if bias else None


class Conv3d(_Convolution):
    """Convolve solids.

    weight: (out, in / groups, kernel depth, height, width). bias: (out), or None.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: "AnySizes",
        stride: "AnySizes" = 1,
        padding: "Padding" = 0,
        dilation: "AnySizes" = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: object = None,
        dtype: object = None,
    ) -> None:
        sizes = (kernel_size, stride, padding, dilation)
        super().__init__(3, in_channels, out_channels, sizes, groups, bias, padding_mode)


class DeformConv2d(_Convolution):
    """Convolve planes with windows whose points are moved by a second input.

    weight: (out, in / groups, kernel height, kernel width). bias: (out), or None.
    """

    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: "AnySizes",
        stride: "AnySizes" = 1,
        padding: "Padding" = 0,
        dilation: "AnySizes" = 1,
        groups: int = 1,
        bias: bool = True,
    ) -> None:
        sizes = (kernel_size, stride, padding, dilation)
        super().__init__(2, in_channels, out_channels, sizes, groups, bias)


class ConvTranspose3d(Declared):
    """The transpose of a convolution of solids.

    weight: (in, out / groups, kernel depth, height, width). bias: (out), or None.
    """

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
        check_padding_mode("ConvTranspose3d", padding_mode)
        check_groups("ConvTranspose3d", in_channels, out_channels, groups)
        set_windows("ConvTranspose3d", self, 3, kernel_size, stride, padding, dilation)
        set_output_padding("ConvTranspose3d", self, 3, output_padding)
        self.groups = groups
        self.weight = Param((in_channels, out_channels // groups) + self.kernel_size)
        self.bias = Param((out_channels,)) if bias else None
