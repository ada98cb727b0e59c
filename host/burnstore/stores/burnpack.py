"""The store of Burnpack files."""

from pathlib import Path
from typing import Self

from burnpack.memory_store import with_pair
from burnstore.io.files import with_default_suffix
from burnstore.stores.saving import SavingStore

Number = bool | int | float


class BurnpackStore(SavingStore):
    """A .bpk file, or the bytes of one."""

    format = "burnpack"
    _empty_filter_counts = True

    def __init__(self) -> None:
        super().__init__()
        self._auto_extension = True

    def auto_extension(self, wanted: bool) -> Self:
        """Append ".bpk" to a path without an extension, for loading and for saving. On unless turned off."""
        self._auto_extension = wanted
        return self

    def scalar(self, key: str, value: Number | tuple[str, Number]) -> Self:
        """Save a scalar beside the tensors.

        key: its name.
        value: an int, float or bool, or (kind, value) with the kind "Int", "UInt", "Float" or "Bool".
        """
        return self._with(scalars=tuple(with_pair(list(self._options.scalars), key, value)))

    def _path_to_write(self, path: Path) -> Path:
        return with_default_suffix(path, ".bpk") if self._auto_extension else path
