from burnrt.nn.layer import Layer, _Calls
from burnrt.value import Value

class Relu(Layer):
    def __init__(self, inplace: bool = False) -> None: ...
    def bind(self, input: Value, output: Value) -> _Calls: ...

class Hardtanh(Layer):
    min_val: float
    max_val: float
    def __init__(
        self,
        min_val: float = -1.0,
        max_val: float = 1.0,
        inplace: bool = False,
        min_value: float | None = None,
        max_value: float | None = None,
    ) -> None: ...
    def bind(self, input: Value, output: Value) -> _Calls: ...

class Relu6(Hardtanh):
    def __init__(self, inplace: bool = False) -> None: ...

class LeakyRelu(Layer):
    negative_slope: float
    def __init__(self, negative_slope: float = 0.01, inplace: bool = False) -> None: ...
    def bind(self, input: Value, output: Value) -> _Calls: ...

class HardSigmoid(Layer):
    alpha: float
    beta: float
    def __init__(self, alpha: float = 0.2, beta: float = 0.5) -> None: ...
    def bind(self, input: Value, output: Value) -> _Calls: ...

class Hardsigmoid(HardSigmoid):
    def __init__(self, inplace: bool = False) -> None: ...

class HardSwish(Layer):
    def __init__(self, inplace: bool = False) -> None: ...
    def bind(self, input: Value, output: Value) -> _Calls: ...
