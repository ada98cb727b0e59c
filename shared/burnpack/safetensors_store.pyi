from typing import Self

from burnpack.memory_store import MemoryStore
from burnpack.safetensors import Reader

class SafetensorsStore(MemoryStore):
    _reader_class: type[Reader]
    def skip_enum_variants(self, wanted: bool) -> Self: ...
