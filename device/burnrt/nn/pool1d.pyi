from collections.abc import Sequence

from burnrt.nn.layer import _Calls
from burnrt.nn.pool import AdaptiveAvgPool2d, AvgPool2d, MaxPool2d
from burnrt.value import Value

_Size = int | Sequence[int]

class MaxPool1d(MaxPool2d):
    def __init__(
        self,
        kernel_size: _Size,
        stride: _Size | None = None,
        padding: _Size = 0,
        dilation: _Size = 1,
        return_indices: bool = False,
        ceil_mode: bool = False,
    ) -> None: ...
    def bind(self, input: Value, output: Value) -> _Calls: ...

class AvgPool1d(AvgPool2d):
    def __init__(
        self,
        kernel_size: _Size,
        stride: _Size | None = None,
        padding: _Size = 0,
        ceil_mode: bool = False,
        count_include_pad: bool = True,
    ) -> None: ...
    def bind(self, input: Value, output: Value) -> _Calls: ...

class AdaptiveAvgPool1d(AdaptiveAvgPool2d):
    def __init__(self, output_size: _Size) -> None: ...
    def bind(self, input: Value, output: Value) -> _Calls: ...
