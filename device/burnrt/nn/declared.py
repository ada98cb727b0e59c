"""Layers that can be described and not run yet: convolutions of solids, and deformable ones.

Their parameters are known, so that a model with them is loaded, converted and saved; calling them raises
`Unsupported`.
"""

from burnpack.errors import Unsupported
from burnrt.nn.conv import Convolution
from burnrt.nn.conv_transpose import Transposed

if False:  # for type checkers
    from typing import Any, NoReturn

    from burnrt.types import AnySizes, Padding


def _refused(self: "Any", *_: "Any", **__: "Any") -> "NoReturn":
    raise Unsupported("has no forward pass yet", type(self).__name__)


class Conv3d(Convolution):
    """Convolve solids.

    weight: (out, in / groups, kernel depth, height, width). bias: (out), or None.
    """

    forward = output_shape = bind = _refused

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


class DeformConv2d(Convolution):
    """Convolve planes with windows whose points are moved by a second input.

    weight: (out, in / groups, kernel height, kernel width). bias: (out), or None.
    """

    forward = output_shape = bind = _refused

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


class ConvTranspose3d(Transposed):
    """The transpose of a convolution of solids.

    weight: (in, out / groups, kernel depth, height, width). bias: (out), or None.
    """

    forward = output_shape = bind = _refused

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
        super().__init__(3, in_channels, out_channels, sizes, output_padding, groups, bias, padding_mode)
