from burnpack.dtype import _Shape
from burnpack.module import Module
from burnrt.value import Value

def working(layer: Module, *shapes: _Shape) -> list[Value]: ...
