from collections.abc import Iterable

from burnpack.dtype import _Shape
from burnpack.module import Param
from burnrt.nn.layer import Layer, _Calls
from burnrt.value import Value

class BatchNorm(Layer):
    gamma: Param | None
    beta: Param | None
    running_mean: Param
    running_var: Param
    epsilon: float
    momentum: float | None
    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: object = None,
        dtype: object = None,
        *,
        bias: bool = True,
    ) -> None: ...
    def bind(self, input: Value, output: Value) -> _Calls: ...

class _Rows(Layer):
    normalized_shape: _Shape
    epsilon: float
    def __init__(self, normalized_shape: int | Iterable[int], eps: float) -> None: ...
    def sizes(self, shape: _Shape) -> tuple[int, int]: ...

class LayerNorm(_Rows):
    gamma: Param | None
    beta: Param | None
    def __init__(
        self,
        normalized_shape: int | Iterable[int],
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        device: object = None,
        dtype: object = None,
    ) -> None: ...
    def bind(self, input: Value, output: Value) -> _Calls: ...

class RmsNorm(_Rows):
    gamma: Param | None
    def __init__(
        self,
        normalized_shape: int | Iterable[int],
        eps: float | None = None,
        elementwise_affine: bool = True,
        device: object = None,
        dtype: object = None,
    ) -> None: ...
    def bind(self, input: Value, output: Value) -> _Calls: ...
