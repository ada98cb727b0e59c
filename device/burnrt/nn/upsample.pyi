from collections.abc import Sequence

from burnpack.dtype import _Shape
from burnrt.nn.layer import Layer, _Calls
from burnrt.value import Value

class Upsample(Layer):
    size: int | Sequence[int] | None
    scale_factor: float | Sequence[float] | None
    mode: str
    align_corners: bool | None
    def __init__(
        self,
        size: int | Sequence[int] | None = None,
        scale_factor: float | Sequence[float] | None = None,
        mode: str = "nearest",
        align_corners: bool | None = None,
        recompute_scale_factor: bool | None = None,
    ) -> None: ...
    def output_shape(self, shape: _Shape) -> _Shape: ...
    def bind(self, input: Value, output: Value) -> _Calls: ...
