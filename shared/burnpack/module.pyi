from collections.abc import Iterable, Iterator
from typing import Any

from burnpack.adapters import Adapter
from burnpack.apply import TensorSource
from burnpack.dtype import _Dtype, _Shape
from burnpack.filter import Filter
from burnpack.result import ApplyResult
from burnpack.store import ModuleStore
from burnpack.tensor import Tensor, _Buffer

DEPTH_MOST: int

class Param:
    shape: _Shape
    dtype: _Dtype
    data: _Buffer | None
    param_id: int | None
    def __init__(
        self,
        shape: Iterable[int],
        dtype: _Dtype = "F32",
        data: _Buffer | None = None,
        param_id: int | None = None,
    ) -> None: ...
    def nbytes(self) -> int: ...

class Module:
    def children(self) -> list[tuple[str, Any]]: ...
    def container(self) -> str: ...
    def collect(
        self,
        filter: Filter | None = None,
        adapter: Adapter | None = None,
        skip_enum_variants: bool = False,
    ) -> list[Tensor]: ...
    def apply(
        self,
        tensors: Iterable[Tensor] | TensorSource,
        filter: Filter | None = None,
        adapter: Adapter | None = None,
        skip_enum_variants: bool = False,
    ) -> ApplyResult: ...
    def load_from(self, store: ModuleStore) -> ApplyResult: ...
    def save_into(self, store: ModuleStore) -> None: ...
    def __call__(self, *inputs: Any, **named: Any) -> Any: ...

class Enum(Module):
    def __init__(self, **variant: Any) -> None: ...
    def variant(self) -> tuple[str, Any]: ...
    def forward(self, *inputs: Any, **named: Any) -> Any: ...

def holds(value: object) -> bool: ...
def walk(module: Module) -> Iterator[tuple[str, tuple[str, ...], Param]]: ...
