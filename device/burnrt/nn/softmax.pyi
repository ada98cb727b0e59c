from burnrt.nn.layer import Layer, _Calls
from burnrt.value import Value

class _AlongOne(Layer):
    dim: int
    def __init__(self, dim: int = -1) -> None: ...

class Softmax(_AlongOne):
    def bind(self, input: Value, output: Value) -> _Calls: ...

class LogSoftmax(_AlongOne):
    def bind(self, input: Value, output: Value) -> _Calls: ...
