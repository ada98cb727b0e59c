from burnpack.module import Param
from burnrt.nn.layer import Layer, _Calls
from burnrt.value import Value

class GroupNorm(Layer):
    gamma: Param | None
    beta: Param | None
    num_groups: int
    num_channels: int
    epsilon: float
    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        eps: float = 1e-5,
        affine: bool = True,
        device: object = None,
        dtype: object = None,
        *,
        bias: bool = True,
    ) -> None: ...
    def bind(self, input: Value, output: Value) -> _Calls: ...

class InstanceNorm(GroupNorm):
    momentum: float
    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = False,
        track_running_stats: bool = False,
        device: object = None,
        dtype: object = None,
        *,
        bias: bool = True,
    ) -> None: ...
