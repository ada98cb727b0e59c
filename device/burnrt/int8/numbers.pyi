from typing import Any

from burnpack.dtype import _Shape
from burnrt.kernels import Numbers
from burnrt.value import Value

def quantize(numbers: Numbers, scale: float, zero: int, target: Any) -> None: ...
def dequantize(source: Any, scale: float, zero: int, shape: _Shape) -> Value: ...
