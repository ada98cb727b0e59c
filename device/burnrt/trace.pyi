from collections.abc import Iterable, Sequence
from typing import NoReturn

from burnpack.dtype import _Shape
from burnpack.module import Module
from burnrt.nn.layer import Layer
from burnrt.value import Value

def trace(model: Module, shape: Sequence[int]) -> Graph: ...

class Graph:
    input: Traced
    output: Traced
    steps: list[Step]
    sizes: list[int]
    def __init__(self, paths: dict[int, str], shape: Sequence[int]) -> None: ...
    def record(self, layer: Layer, inputs: tuple[Value, ...]) -> Traced: ...

class Step:
    name: str
    layer: Layer
    inputs: tuple[Traced, ...]
    output: Traced
    def __init__(self, name: str, layer: Layer, inputs: tuple[Traced, ...], output: Traced) -> None: ...

class Traced(Value):
    graph: Graph
    number: int
    shape: _Shape
    def __init__(self, graph: Graph, number: int, shape: Iterable[int]) -> None: ...
    @property
    def data(self) -> NoReturn: ...  # type: ignore[override]
    def through(self, layer: Layer, *others: Value) -> Traced: ...
    def reshape(self, *shape: int | Iterable[int]) -> Traced: ...
