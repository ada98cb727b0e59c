from typing import Protocol, Self, type_check_only

from burnpack.loading_store import LoadingStore as LoadingStore
from burnpack.memory_store import MemoryStore
from burnpack.memory_store import with_pair as with_pair
from burnpack.module import Module
from burnpack.reader import Reader
from burnpack.result import ApplyResult
from burnpack.scalar import _Number, _Scalar

@type_check_only
class ModuleStore(Protocol):
    def apply_to(self, module: Module, /) -> ApplyResult: ...
    def collect_from(self, module: Module, /) -> None: ...

class BurnpackStore(MemoryStore):
    _reader_class: type[Reader]
    def scalar(self, key: str, value: _Number | _Scalar) -> Self: ...
