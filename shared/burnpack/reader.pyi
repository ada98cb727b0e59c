from collections.abc import Callable
from typing import Protocol, type_check_only

from burnpack.container import AnyIndex, Container
from burnpack.layout import Extent
from burnpack.limits import Limits

@type_check_only
class BurnpackIndex(AnyIndex, Extent, Protocol):
    format_version: int
    data_start: int
    packed: bool
    def dialect(self) -> str: ...

class Reader(Container):
    format: str
    _index_of: Callable[[memoryview, Limits], BurnpackIndex]
    @property
    def version(self) -> int: ...
    @property
    def dialect(self) -> str: ...
