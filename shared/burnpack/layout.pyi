from collections.abc import Callable
from typing import Protocol, type_check_only

from burnpack.limits import Limits
from burnpack.tensor import _Buffer

MAGIC: bytes
VERSION: int
HEADER: str
HEADER_SIZE: int
ALIGNMENT: int

@type_check_only
class Extent(Protocol):
    @property
    def end(self) -> int: ...
    @property
    def claimed(self) -> int: ...
    @property
    def aligned(self) -> bool: ...
    @property
    def version(self) -> str | None: ...

def parse_header(view: _Buffer, limits: Limits) -> tuple[int, int]: ...
def check_metadata(metadata_size: int, file_size: int) -> None: ...
def header(metadata_size: int) -> bytes: ...
def aligned(offset: int) -> int: ...
def data_start(
    index: Extent, metadata_size: int, file_size: int, padding_is_zero: Callable[[int, int], bool]
) -> tuple[int, bool]: ...
