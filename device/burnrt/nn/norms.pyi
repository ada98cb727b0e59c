from collections.abc import Iterable

from burnpack.module import Param
from burnrt.nn.layer import Declared

class GroupNorm(Declared):
    gamma: Param | None
    beta: Param | None
    num_groups: int
    epsilon: float
    def __init__(
        self, num_groups: int, num_channels: int, eps: float = 1e-5, affine: bool = True
    ) -> None: ...

class InstanceNorm(Declared):
    gamma: Param | None
    beta: Param | None
    epsilon: float
    momentum: float
    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = False,
        track_running_stats: bool = False,
    ) -> None: ...

class RmsNorm(Declared):
    gamma: Param | None
    epsilon: float
    def __init__(
        self,
        normalized_shape: int | Iterable[int],
        eps: float | None = None,
        elementwise_affine: bool = True,
    ) -> None: ...
