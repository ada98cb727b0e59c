from burnpack.module import Param
from burnrt.nn.geometry import _Sizes
from burnrt.nn.layer import Layer, _Calls
from burnrt.value import Value

class Conv2d(Layer):
    kernel_size: tuple[int, int]
    stride: tuple[int, int]
    padding: tuple[int, int]
    dilation: tuple[int, int]
    excess: tuple[int, int]
    groups: int
    weight: Param
    bias: Param | None
    def __init__(
        self,
        in_channels: int,
        out_channels: int,
        kernel_size: _Sizes,
        stride: _Sizes = 1,
        padding: _Sizes | str = 0,
        dilation: _Sizes = 1,
        groups: int = 1,
        bias: bool = True,
        padding_mode: str = "zeros",
        device: object = None,
        dtype: object = None,
    ) -> None: ...
    def bind(self, input: Value, output: Value) -> _Calls: ...

class Conv1d(Layer):
    kernel_size: tuple[int, int]
    stride: tuple[int, int]
    padding: tuple[int, int]
    dilation: tuple[int, int]
    excess: tuple[int, int]
    groups: int
    weight: Param
    bias: Param | None
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
    ) -> None: ...
    def bind(self, input: Value, output: Value) -> _Calls: ...
