from burnpack.module import Param
from burnrt.nn.geometry import _AnySizes
from burnrt.nn.layer import Layer, _Calls
from burnrt.value import Value

class _Transposed(Layer):
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
        rank: int,
        channels: tuple[int, int],
        kernel_size: _AnySizes,
        stride: _AnySizes,
        padding: _AnySizes,
        output_padding: _AnySizes,
        groups: int,
        bias: bool,
        dilation: _AnySizes,
    ) -> None: ...
    def bind(self, input: Value, output: Value) -> _Calls: ...

class ConvTranspose1d(_Transposed):
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

class ConvTranspose2d(_Transposed):
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
