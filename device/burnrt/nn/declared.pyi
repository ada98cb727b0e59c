from typing import Any, NoReturn

from burnpack.dtype import _Shape
from burnpack.module import Param
from burnrt.nn.geometry import _AnySizes, _Padding
from burnrt.nn.layer import Layer
from burnrt.value import Value

class Declared(Layer):
    def output_shape(self, shape: _Shape) -> NoReturn: ...
    def forward(self, *inputs: Any) -> NoReturn: ...
    def run(self, input: Value, output: Value) -> NoReturn: ...

class _Convolution(Declared):
    kernel_size: tuple[int, ...]
    stride: tuple[int, ...]
    padding: tuple[int, ...]
    dilation: tuple[int, ...]
    excess: tuple[int, ...]
    groups: int
    weight: Param
    bias: Param | None
    def __init__(
        self,
        rank: int,
        in_channels: int,
        out_channels: int,
        sizes: tuple[_AnySizes, _AnySizes, _Padding, _AnySizes],
        groups: int,
        bias: bool,
        padding_mode: str = "zeros",
    ) -> None: ...

class Conv3d(_Convolution):
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: _AnySizes,
        stride: _AnySizes = 1,
        padding: _Padding = 0,
        dilation: _AnySizes = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: object = None,
        dtype: object = None,
    ) -> None: ...

class DeformConv2d(_Convolution):
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: _AnySizes,
        stride: _AnySizes = 1,
        padding: _Padding = 0,
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
        padding_mode: str = "zeros",
        device: object = None,
        dtype: object = None,
    ) -> None: ...
