from burnpack.dtype import _Shape
from burnrt.nn.layer import Layer, _Calls
from burnrt.value import Value

class Add(Layer):
    def output_shape(self, a: _Shape, b: _Shape) -> _Shape: ...  # type: ignore[override]
    def bind(self, a: Value, b: Value, output: Value) -> _Calls: ...
