from typing import Protocol, type_check_only

from _typeshed import ReadableBuffer

from burnpack.container import Container, File
from burnpack.limits import Limits
from burnpack.loading_store import LoadingStore
from burnpack.tensor import _Writable

@type_check_only
class _Closable(File, Protocol):
    def read(self, size: int = ..., /) -> bytes: ...
    def close(self) -> None: ...

ALIGNED: int
ALIGNMENT_MOST: int

def find(name: str, rom: str = "/rom/", folder: str = "") -> Blob: ...

class Blob:
    name: str
    road: str
    size: int
    view: memoryview | None
    in_flash: bool
    alignment: int | None
    def __init__(
        self,
        name: str,
        road: str,
        view: memoryview | None,
        in_flash: bool = False,
        file: _Closable | None = None,
    ) -> None: ...
    def is_aligned(self) -> bool: ...
    def reader(self, limits: Limits | None = None) -> Container: ...
    def store(self, limits: Limits | None = None) -> LoadingStore: ...
    def into(self, buffer: _Writable) -> Blob: ...
    def close(self) -> None: ...

def alignment_of(view: ReadableBuffer) -> int: ...
