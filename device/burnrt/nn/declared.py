"""Layers that can be described and not run yet: convolutions of solids, and deformable ones."""

from burnpack.module import Param
from burnrt.nn.geometry import check_groups, set_output_padding, set_windows
from burnrt.nn.layer import Declared


class _Convolution(Declared):
    """What all share: their sizes, one number or one for each dimension, and the bias: (out), or None."""

    def __init__(self, rank, in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias):
        name = type(self).__name__
        check_groups(name, in_channels, out_channels, groups)
        set_windows(name, self, rank, kernel_size, stride, padding, dilation)
        self.groups = groups
        self.weight = Param((out_channels, in_channels // groups) + self.kernel_size)
        self.bias = Param((out_channels,)) if bias else None


class Conv3d(_Convolution):
    """Convolve solids.

    weight: (out, in / groups, kernel depth, height, width). bias: (out), or None.
    """

    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True
    ):
        super().__init__(3, in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias)


class DeformConv2d(_Convolution):
    """Convolve planes with windows whose points are moved by a second input.

    weight: (out, in / groups, kernel height, kernel width). bias: (out), or None.
    """

    def __init__(
        self, in_channels, out_channels, kernel_size, stride=1, padding=0, dilation=1, groups=1, bias=True
    ):
        super().__init__(2, in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias)


class ConvTranspose3d(Declared):
    """The transpose of a convolution of solids.

    weight: (in, out / groups, kernel depth, height, width). bias: (out), or None.
    """

    def __init__(
        self,
        in_channels,
        out_channels,
        kernel_size,
        stride=1,
        padding=0,
        output_padding=0,
        groups=1,
        bias=True,
        dilation=1,
    ):
        check_groups("ConvTranspose3d", in_channels, out_channels, groups)
        set_windows("ConvTranspose3d", self, 3, kernel_size, stride, padding, dilation)
        set_output_padding("ConvTranspose3d", self, 3, output_padding)
        self.groups = groups
        self.weight = Param((in_channels, out_channels // groups) + self.kernel_size)
        self.bias = Param((out_channels,)) if bias else None
