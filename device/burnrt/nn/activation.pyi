from burnrt.nn.layer import Layer, _Calls
from burnrt.value import Value

class Gelu(Layer):
    def bind(self, input: Value, output: Value) -> _Calls: ...

class Sigmoid(Layer):
    def bind(self, input: Value, output: Value) -> _Calls: ...

class SiLU(Layer):
    def bind(self, input: Value, output: Value) -> _Calls: ...

class Tanh(Layer):
    def bind(self, input: Value, output: Value) -> _Calls: ...
