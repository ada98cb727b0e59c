from collections.abc import Sequence

from burnpack.dtype import _Shape
from burnrt.nn.layer import Layer
from burnrt.value import Value

class Unflatten(Layer):
    dim: int
    unflattened_size: tuple[int, ...]
    def __init__(self, dim: int, unflattened_size: Sequence[int]) -> None: ...
    def output_shape(self, shape: _Shape) -> _Shape: ...
    def forward(self, input: Value) -> Value: ...  # type: ignore[override]  # of one value
