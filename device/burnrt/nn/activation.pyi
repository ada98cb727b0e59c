from burnrt.nn.layer import Layer
from burnrt.value import Value

class Relu(Layer):
    def run(self, input: Value, output: Value) -> None: ...

class Gelu(Layer):
    def run(self, input: Value, output: Value) -> None: ...

class Sigmoid(Layer):
    def run(self, input: Value, output: Value) -> None: ...

class Tanh(Layer):
    def run(self, input: Value, output: Value) -> None: ...
