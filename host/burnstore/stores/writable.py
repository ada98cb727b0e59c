"""What the stores share that can save: streamed, a tensor at a time, and whole or not at all."""

from pathlib import Path
from typing import Self

from burnpack.errors import BurnpackError
from burnpack.module import Module
from burnpack.tensor import Tensor
from burnstore.files import replace
from burnstore.naming.steps import renamed
from burnstore.stores.file_store import FileStore

Texts = list[tuple[str, str]]


class WritableStore(FileStore):
    """A store that saves, into its file or into memory."""

    def __init__(self) -> None:
        super().__init__()
        self._overwrite = False

    def overwrite(self, allowed: bool) -> Self:
        """Let a save replace a file that exists."""
        self._overwrite = allowed
        return self

    def collect_from(self, module: Module) -> None:
        """Save the module: see `files.replace`. The file may be the one that the module was loaded from."""
        if self._path is None:
            super().collect_from(module)
        else:
            self._save(self._target(self._path), module)
        self.close()

    def _save(self, path: Path, module: Module) -> None:
        try:
            tensors, aliases = self._collected(module)
            self._write(path, tensors, self._metadata + aliases)
        except BurnpackError as error:
            raise error.within(str(path)) from error.__cause__

    def _write(self, path: Path, tensors: list[Tensor], metadata: Texts) -> None:
        replace(path, self._writer_of(tensors, metadata).chunks(), self._overwrite)

    def _target(self, path: Path) -> Path:
        """Return the path that is written where the user gave `path`."""
        return path

    def _reading_path(self, path: Path) -> Path:
        return self._target(path)

    def _collected(self, module: Module) -> tuple[list[Tensor], Texts]:
        tensors, aliases = super()._collected(module)
        names = [tensor.name for tensor in tensors] + [other for other, _ in aliases]
        new = dict(zip(names, renamed(names, self._steps_out()), strict=True))
        tensors = [tensor.renamed(new[tensor.name]) for tensor in tensors]
        return tensors, [(new[other], new[kept]) for other, kept in aliases]
