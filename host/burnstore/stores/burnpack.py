"""The store of Burnpack files."""

from pathlib import Path
from typing import Self

from burnpack.memory_store import with_pair
from burnpack.tensor import Tensor
from burnpack.writer import Writer
from burnstore.fast_index import FastReader
from burnstore.files import with_default_suffix
from burnstore.stores.writable import Texts, WritableStore

Number = bool | int | float


class BurnpackStore(WritableStore):
    """A .bpk file, or the bytes of one."""

    _reader_class = FastReader

    def __init__(self) -> None:
        super().__init__()
        self._scalars: list[tuple[str, Number | tuple[str, Number]]] = []
        self._auto_extension = True

    def auto_extension(self, wanted: bool) -> Self:
        """Append ".bpk" to a path without an extension, for loading and for saving. On unless turned off."""
        self._auto_extension = wanted
        return self

    def scalar(self, key: str, value: Number | tuple[str, Number]) -> Self:
        """Save a scalar, as in `burnpack.scalar`."""
        self._scalars = with_pair(self._scalars, key, value)
        return self

    def _target(self, path: Path) -> Path:
        return with_default_suffix(path, ".bpk") if self._auto_extension else path

    def _writer_of(self, tensors: list[Tensor], metadata: Texts) -> Writer:
        return Writer(tensors, metadata, self._scalars)
