from collections.abc import Iterable, Sequence

from burnpack.adapters.base import ModuleAdapter
from burnpack.apply import TensorSource
from burnpack.collect import _Pair
from burnpack.context import Context

PROJECTIONS: tuple[str, ...]
GATES: dict[str, tuple[str, ...]]

class SplitAdapter(ModuleAdapter):
    def adapt_source(self, source: TensorSource, contexts: Sequence[Context]) -> TensorSource: ...
    def adapt_collected(self, pairs: list[_Pair]) -> list[_Pair]: ...

def taken_apart(source: TensorSource, contexts: Iterable[Context]) -> TensorSource: ...
def put_together(pairs: Iterable[_Pair]) -> list[_Pair]: ...
def places(context: Context) -> list[tuple[str, int, int]]: ...
