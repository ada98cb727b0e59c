from burnpack.dtype import _Shape
from burnrt.nn.layer import Layer, _Calls
from burnrt.value import Value

class _AlongOne(Layer):
    dim: int | None
    def __init__(self, dim: int | None = None) -> None: ...
    def parts(self, shape: _Shape) -> tuple[int, int, int]: ...

class Softmax(_AlongOne):
    def bind(self, input: Value, output: Value) -> _Calls: ...

class LogSoftmax(_AlongOne):
    def bind(self, input: Value, output: Value) -> _Calls: ...
