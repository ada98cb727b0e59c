from burnpack.module import Param
from burnrt.nn.geometry import _AnySizes
from burnrt.nn.layer import Declared

class _Convolution(Declared):
    kernel_size: tuple[int, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...]
    dilation: tuple[int, ...]
    groups: int
    weight: Param
    bias: Param | None
    def __init__(
        self,
        rank: int,
        in_channels: int,
        out_channels: int,
        kernel_size: _AnySizes,
        stride: _AnySizes,
        padding: _AnySizes,
        dilation: _AnySizes,
        groups: int,
        bias: bool,
    ) -> None: ...

class Conv3d(_Convolution):
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: _AnySizes,
        stride: _AnySizes = 1,
        padding: _AnySizes = 0,
        dilation: _AnySizes = 1,
        groups: int = 1,
        bias: bool = True,
    ) -> None: ...

class DeformConv2d(_Convolution):
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: _AnySizes,
        stride: _AnySizes = 1,
        padding: _AnySizes = 0,
        dilation: _AnySizes = 1,
        groups: int = 1,
        bias: bool = True,
    ) -> None: ...

class ConvTranspose3d(Declared):
    kernel_size: tuple[int, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...]
    dilation: tuple[int, ...]
    output_padding: tuple[int, ...]
    groups: int
    weight: Param
    bias: Param | None
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: _AnySizes,
        stride: _AnySizes = 1,
        padding: _AnySizes = 0,
        output_padding: _AnySizes = 0,
        groups: int = 1,
        bias: bool = True,
        dilation: _AnySizes = 1,
    ) -> None: ...
