from burnpack.module import Param
from burnrt.nn.layer import Layer, _Calls
from burnrt.value import Value

class PRelu(Layer):
    alpha: Param
    init: float
    def __init__(
        self, num_parameters: int = 1, init: float = 0.25, device: object = None, dtype: object = None
    ) -> None: ...
    def bind(self, input: Value, output: Value) -> _Calls: ...
