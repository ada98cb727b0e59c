from burnrt.nn.layer import _Calls
from burnrt.nn.pool import AvgPool2d
from burnrt.value import Value

def sums(layer: AvgPool2d, input: Value, output: Value) -> _Calls: ...
