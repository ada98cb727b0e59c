from collections.abc import Iterable

from burnpack.dtype import _Shape
from burnpack.module import Param
from burnrt.nn.layer import Layer
from burnrt.value import Value

class BatchNorm(Layer):
    gamma: Param
    beta: Param
    running_mean: Param
    running_var: Param
    epsilon: float
    momentum: float
    def __init__(self, num_features: int, eps: float = 1e-5, momentum: float = 0.1) -> None: ...
    def run(self, input: Value, output: Value) -> None: ...

class LayerNorm(Layer):
    gamma: Param | None
    beta: Param | None
    normalized_shape: _Shape
    epsilon: float
    def __init__(
        self,
        normalized_shape: int | Iterable[int],
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
    ) -> None: ...
    def run(self, input: Value, output: Value) -> None: ...
