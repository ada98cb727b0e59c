from burnpack.module import Param
from burnrt.nn.layer import Layer, _Calls
from burnrt.value import Value

class Linear(Layer):
    weight: Param
    bias: Param | None
    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        device: object = None,
        dtype: object = None,
    ) -> None: ...
    def bind(self, input: Value, output: Value) -> _Calls: ...
