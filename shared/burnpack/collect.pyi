from collections.abc import Iterable, Iterator
from typing import TypeAlias

from burnpack.adapters import Adapter
from burnpack.context import Context
from burnpack.filter import Filter
from burnpack.module import Module, Param
from burnpack.tensor import Tensor

_Pair: TypeAlias = tuple[Tensor, Context]
_Found: TypeAlias = tuple[Tensor, Context, Param]

def collect(
    module: Module,
    filter: Filter | None = None,
    adapter: Adapter | None = None,
    skip_enum_variants: bool = False,
) -> list[Tensor]: ...
def gathered(module: Module, filter: Filter | None, skip_enum_variants: bool) -> Iterator[_Found]: ...
def adapted(found: Iterable[_Found], adapter: Adapter | None) -> Iterator[_Found]: ...
def joined(pairs: list[_Pair], adapter: Adapter | None) -> list[_Pair]: ...
