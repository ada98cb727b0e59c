"""Convolutions of more dimensions, transposed and deformable ones: their parameters."""

from burnpack.module import Param
from burnrt.nn.geometry import check_at_least, check_groups, check_windows, per_dimension
from burnrt.nn.layer import Declared


class _Convolution(Declared):
    """What all share: their sizes, one number or one for each dimension, and the bias: (out), or None."""

    def __init__(self, rank, in_channels, out_channels, kernel_size, stride, padding, dilation, groups, bias):
        name = type(self).__name__
        check_groups(name, in_channels, out_channels, groups)
        sizes = (kernel_size, stride, padding, dilation)
        self.kernel_size, self.stride, self.padding, self.dilation = [
            per_dimension(name, size, rank) for size in sizes
        ]
        self.groups = groups
        check_windows(name, self)
        self.weight = Param(self._channels(in_channels, out_channels) + self.kernel_size)
        self.bias = Param((out_channels,)) if bias else None

    def _channels(self, inputs, outputs):
        """Return the first two extents of the weight."""
        return outputs, inputs // self.groups


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


class _Transposed(_Convolution):
    """What the transposed ones share: weight: (in, out / groups, kernel...)."""

    def __init__(self, rank, channels, kernel_size, stride, padding, output_padding, groups, bias, dilation):
        inputs, outputs = channels
        super().__init__(rank, inputs, outputs, kernel_size, stride, padding, dilation, groups, bias)
        name = type(self).__name__
        self.output_padding = per_dimension(name, output_padding, rank)
        check_at_least(0, name, output_padding=self.output_padding)

    def _channels(self, inputs, outputs):
        return inputs, outputs // self.groups


class ConvTranspose1d(_Transposed):
    """The transpose of a convolution of lines.

    weight: (in, out / groups, kernel). bias: (out), or None.
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
        channels = (in_channels, out_channels)
        super().__init__(1, channels, kernel_size, stride, padding, output_padding, groups, bias, dilation)


class ConvTranspose2d(_Transposed):
    """The transpose of a convolution of planes.

    weight: (in, out / groups, kernel height, kernel width). bias: (out), or None.
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
        channels = (in_channels, out_channels)
        super().__init__(2, channels, kernel_size, stride, padding, output_padding, groups, bias, dilation)


class ConvTranspose3d(_Transposed):
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
        channels = (in_channels, out_channels)
        super().__init__(3, channels, kernel_size, stride, padding, output_padding, groups, bias, dilation)
