from collections.abc import Callable, Iterable, Sequence
from typing import Any, NoReturn

from burnpack.dtype import _Shape
from burnpack.module import Module
from burnrt.nn.layer import Layer
from burnrt.value import Value

def trace(model: Module, shape: Sequence[int]) -> Graph: ...
def paths_of(model: Module) -> dict[int, str]: ...
def each(answer: Any, function: Callable[[Any], Any]) -> Any: ...

class Graph:
    input: Traced
    output: Any
    outputs: list[Traced]
    steps: list[Step]
    sizes: list[int]
    def __init__(self, paths: dict[int, str], shape: Sequence[int]) -> None: ...
    def record(
        self, layer: Layer, inputs: tuple[Value, ...], shapes: Sequence[_Shape]
    ) -> tuple[Traced, ...]: ...
    def answered(self, value: object) -> None: ...
    def unread(self) -> list[int]: ...

class Step:
    name: str
    layer: Layer
    inputs: tuple[Traced, ...]
    outputs: tuple[Traced, ...]
    output: Traced
    def __init__(
        self, name: str, layer: Layer, inputs: tuple[Traced, ...], outputs: tuple[Traced, ...]
    ) -> None: ...

class Traced(Value):
    number: int
    shape: _Shape
    def __init__(self, graph: Graph, number: int, shape: Iterable[int]) -> None: ...
    @property
    def data(self) -> NoReturn: ...  # type: ignore[override]
    def into(self, shapes: Sequence[_Shape], layer: Layer, *others: Value) -> tuple[Traced, ...]: ...
    def reshape(self, *shape: int | Iterable[int]) -> Traced: ...
