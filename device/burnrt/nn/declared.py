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
    """Hold the parameters of a convolution of solids.

    in_channels, out_channels: the extents `in` and `out`, both multiples of groups.
    kernel_size, stride, padding, dilation: one number, or one for each of depth, height and width.
    padding_mode: "zeros".
    weight: (out, in / groups, kernel depth, kernel height, kernel width).
    bias: (out), or None where the argument is False.

    There is no forward pass: it can be described, loaded, converted and saved.
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
    """Hold the parameters of a convolution of planes whose windows are moved by a second input.

    in_channels, out_channels: the extents `in` and `out`, both multiples of groups.
    kernel_size, stride, padding, dilation: one number, or (vertical, horizontal).
    weight: (out, in / groups, kernel height, kernel width).
    bias: (out), or None where the argument is False.

    There is no forward pass: it can be described, loaded, converted and saved.
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
    """Hold the parameters of a transposed convolution of solids.

    in_channels, out_channels: the extents `in` and `out`, both multiples of groups.
    kernel_size, stride, padding, output_padding, dilation: one number, or one for each of depth, height and
        width.
    padding_mode: "zeros".
    weight: (in, out / groups, kernel depth, kernel height, kernel width).
    bias: (out), or None where the argument is False.

    There is no forward pass: it can be described, loaded, converted and saved.
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
