from collections.abc import Sequence
from typing import Any, Self

from burnpack.container import Container
from burnpack.store import LoadingStore
from burnrt.int8.plan import Plan
from burnrt.value import Value

VERSION: str

class Model:
    input_at: int
    output_at: int
    input_shape: tuple[int, ...]
    output_shape: tuple[int, ...]
    input_scale: float
    input_zero: int
    output_scale: float
    output_zero: int
    last: str
    steps: list[tuple[str, Any, Any, Any]]
    arena: int
    copied: int
    def __init__(self, container: Container, work: int | None = None) -> None: ...
    @classmethod
    def from_store(cls, store: LoadingStore) -> Self: ...
    def plan(self, shape: Sequence[int] | None = None, arena: Any = None) -> Plan: ...
    def __call__(self, values: Any) -> Value: ...
