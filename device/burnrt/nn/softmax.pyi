from burnrt.nn.layer import Layer
from burnrt.value import Value

class _AlongOne(Layer):
    dim: int
    def __init__(self, dim: int = -1) -> None: ...

class Softmax(_AlongOne):
    def run(self, input: Value, output: Value) -> None: ...

class LogSoftmax(_AlongOne):
    def run(self, input: Value, output: Value) -> None: ...
