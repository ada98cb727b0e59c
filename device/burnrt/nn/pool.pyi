from collections.abc import Sequence

from burnrt.nn.geometry import _Sizes
from burnrt.nn.layer import Layer, _Calls
from burnrt.value import Value

class _Windows(Layer):
    kernel_size: tuple[int, int]
    stride: tuple[int, int]
    padding: tuple[int, int]
    dilation: tuple[int, int]
    ceil_mode: bool
    def __init__(
        self,
        kernel_size: _Sizes,
        stride: _Sizes | None,
        padding: _Sizes,
        dilation: _Sizes,
        ceil_mode: bool,
    ) -> None: ...

class MaxPool2d(_Windows):
    def __init__(
        self,
        kernel_size: _Sizes,
        stride: _Sizes | None = None,
        padding: _Sizes = 0,
        dilation: _Sizes = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None: ...
    def bind(self, input: Value, output: Value) -> _Calls: ...

class AvgPool2d(_Windows):
    count_include_pad: bool
    divisor_override: int | None
    def __init__(
        self,
        kernel_size: _Sizes,
        stride: _Sizes | None = None,
        padding: _Sizes = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
        divisor_override: int | None = None,
    ) -> None: ...
    def bind(self, input: Value, output: Value) -> _Calls: ...

class AdaptiveAvgPool2d(Layer):
    output_size: tuple[int | None, ...]
    def __init__(self, output_size: int | Sequence[int | None]) -> None: ...
    def bind(self, input: Value, output: Value) -> _Calls: ...
