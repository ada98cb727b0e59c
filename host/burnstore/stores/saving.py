"""What the stores share that save: streamed, a tensor at a time, and whole or not at all."""

from pathlib import Path
from typing import TYPE_CHECKING, Self

from burnpack.adapters.base import instance
from burnpack.errors import BurnpackError, SaveFailed
from burnpack.memory_store import with_pair
from burnpack.module import Module
from burnstore.io.opened import open_view
from burnstore.pipeline.collecting import collected
from burnstore.pipeline.writing import own_metadata, write, writer_of
from burnstore.stores.store import Store

if TYPE_CHECKING:
    from burnpack.types import AnyAdapter


class SavingStore(Store):
    """A store that saves, into its file or into memory."""

    def __init__(self) -> None:
        super().__init__()
        self._with(metadata=own_metadata(self.format))

    @classmethod
    def default_metadata(cls) -> dict[str, str]:
        """Return the metadata that is saved unless it is cleared: format, producer and version."""
        return dict(own_metadata(cls.format))

    def overwrite(self, allowed: bool) -> Self:
        """Let a save replace a file that exists."""
        return self._with(overwrite=allowed)

    def metadata(self, key: str, value: str) -> Self:
        """Put one more text into the metadata that is saved.

        key, value: texts; one of the same key is replaced.
        """
        return self._with(metadata=tuple(with_pair(list(self._options.metadata), key, value)))

    def clear_metadata(self) -> Self:
        """Save without metadata."""
        return self._with(metadata=())

    def with_from_adapter(self, adapter: "AnyAdapter") -> Self:
        """Adapt what is loaded. A class stands for an adapter without arguments."""
        return self._with(adapter=instance(adapter))

    def with_to_adapter(self, adapter: "AnyAdapter") -> Self:
        """Adapt what is saved. A class stands for an adapter without arguments."""
        return self._with(to_adapter=instance(adapter))

    def alias_tied(self, wanted: bool) -> Self:
        """Save a parameter of several names under the first alone; the metadata says: other name = first.

        Such a file loads into a module with the same parameters tied. Without this each name is saved.
        """
        return self._with(alias_tied=wanted)

    def get_bytes(self) -> bytes:
        """Return the container that was saved, or that the store was made of. Raises `SaveFailed`."""
        if self._bytes is None:
            raise SaveFailed("nothing has been saved into this store")
        return self._bytes if isinstance(self._bytes, bytes) else bytes(self._bytes)

    def collect_from(self, module: Module) -> None:
        """Save the module. The file may be the one that the module was loaded from.

        It is written beside its place and put there whole: a save that fails leaves what was there. Raises
        `SaveFailed` where a file exists that may not be overwritten, or nothing can be written.
        """
        if self._path is None:
            self._save_in_memory(module)
        else:
            self._save(self._path_to_write(self._path), module)
        self.close()

    def _save_in_memory(self, module: Module) -> None:
        tensors, metadata = collected(module, self._options)
        self._bytes = writer_of(self.format, tensors, metadata, self._options.scalars).to_bytes()
        self._memory = open_view(memoryview(self._bytes), None, self._limits)

    def _save(self, path: Path, module: Module) -> None:
        options = self._options
        try:
            tensors, metadata = collected(module, options)
            how = (options.scalars, options.overwrite, options.shard_size)
            write(path, self.format, tensors, metadata, *how)
        except BurnpackError as error:
            raise error.within(str(path)) from error.__cause__

    def _path_to_write(self, path: Path) -> Path:
        """Return the path that is written where the user gave `path`."""
        return path

    def _path_to_read(self, path: Path) -> Path:
        return self._path_to_write(path)
