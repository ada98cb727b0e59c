"""What all stores on a computer share: a file, names changed on the way, and closing it."""

import re
from collections.abc import Iterable
from pathlib import Path
from types import TracebackType
from typing import Any, Self, cast

from burnpack.apply import match
from burnpack.errors import UnknownFormat
from burnpack.limits import Limits
from burnpack.memory_store import MemoryStore
from burnpack.module import Module
from burnpack.result import ApplyResult
from burnstore.container import Container
from burnstore.files import PathLike
from burnstore.naming.filters import PathFilter
from burnstore.naming.indices import Contiguous, gapped_prefixes_of
from burnstore.naming.patterns import compiled
from burnstore.naming.prefixes import PREFIXES, Stripped
from burnstore.naming.remap import KeyRemapper
from burnstore.naming.steps import NamedListing, Step
from burnstore.opened import OpenedFile, open_view
from burnstore.reparametrized.fold import are_suspected
from burnstore.selection.listing import Asked, listed

# The store that a file of each format is for.
_STORES = {"burnpack": "BurnpackStore", "safetensors": "SafetensorsStore", "pytorch": "PytorchStore"}


class FileStore(MemoryStore):
    """A container in a file or in memory. The store of a format derives from this.

    A file is opened when it is first needed, and parsed once.
    """

    _filter_class = PathFilter

    def __init__(self) -> None:
        super().__init__()
        self._path: Path | None = None
        self._limits: Limits | None = None
        self._file: OpenedFile | None = None
        self._named: Container | NamedListing | None = None
        self._remapper = KeyRemapper()
        self._stripped: Stripped | None = None
        self._contiguous = False
        self._kept: re.Pattern[str] | None = None
        self._key: str | None = ""  # of a checkpoint's dict; None: found out
        self._folding = True

    @classmethod
    def from_file(cls, path: PathLike, limits: Limits | None = None) -> Self:
        """Return a store of the file at `path`.

        limits: how much is believed of what the file claims: see `burnpack.limits`.
        """
        store = cls()
        store._path = Path(path)
        store._limits = limits
        return store

    @classmethod
    def from_static(cls, buffer: Any, limits: Limits | None = None) -> Self:
        """Return a store that loads from `buffer` in place: it is sliced, kept alive and never copied."""
        store = cls()
        store._reader = store._checked(open_view(memoryview(buffer).cast("B"), None, limits))
        return store

    def with_regex(self, pattern: str) -> Self:
        """Take the parameters in whose path `pattern` is found, besides what else passes.

        Raises `Malformed` at once for what is no regular expression.
        """
        return self.with_regexes([pattern])

    def with_regexes(self, patterns: Iterable[str]) -> Self:
        """Take the parameters in whose path any of the patterns is found, besides what else passes."""
        criteria = self._criteria()
        assert isinstance(criteria, PathFilter)  # it is made of `_filter_class`
        criteria.with_regexes(patterns)
        return self

    def with_key_remapping(self, pattern: str, replacement: str) -> Self:
        """Change names: those read when loading, those written when saving. See `naming.remap`."""
        self._remapper.add_pattern(pattern, replacement)
        return self._forgetting_names()

    def remap(self, remapper: KeyRemapper) -> Self:
        """Change names by a `KeyRemapper`, instead of by what was given before."""
        self._remapper = remapper.copy()
        return self._forgetting_names()

    def strip_prefixes(self, *prefixes: str) -> Self:
        """Take off the prefixes that all names read have: see `naming.prefixes`.

        Without any, those of the usual wrappers: "module.", "_orig_mod." and "model.".
        """
        self._stripped = Stripped(prefixes or PREFIXES)
        return self._forgetting_names()

    def container(self) -> Container:
        """Return the opened container, its tensors under their own names."""
        return self._container()

    def close(self) -> None:
        """Close the file. What was taken from it stays valid, and using the store again opens it again."""
        self._named = None
        if self._file is not None:
            self._file.close()
            self._file = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, where: TracebackType | None
    ) -> None:
        self.close()

    def _map_indices(self, contiguous: bool, kept: str | None) -> Self:
        self._contiguous = contiguous
        self._kept = None if kept is None else compiled(kept)
        return self._forgetting_names()

    def _forgetting_names(self) -> Self:
        self._named = None
        return self

    def _container(self) -> Container:
        """Return the container, opened if it is not yet."""
        if self._path is None:
            return cast("Container", super()._source())
        if self._file is None:
            file = OpenedFile(self._reading_path(self._path), self._limits)
            try:
                self._checked(file.reader)
            except UnknownFormat:
                file.close()
                raise
            self._file = file
        return self._file.reader

    def _reading_path(self, path: Path) -> Path:
        """Return the path that is read where the user gave `path`."""
        return path

    def _checked(self, container: Container) -> Container:
        if container.format != self._reader_class.format:
            what = f"a file of the format {container.format}: {_STORES[container.format]} loads it"
            raise UnknownFormat(what, None, container.source)
        return container

    def _source(self) -> Container | NamedListing:
        if self._named is None:
            self._named = self._listing(None)
        return self._named

    def _source_for(self, module: Module) -> Container | NamedListing:
        return self._listing(module)

    def _notes_on(self, source: Container | NamedListing) -> list[str]:
        return list(source.notes) if isinstance(source, NamedListing) else []

    def _listing(self, module: Module | None) -> Container | NamedListing:
        """Return the tensors under their new names; the container itself, where nothing happens to names."""
        container = self._container()
        steps = self._steps_in(gapped_prefixes_of(module) if module and self._contiguous else ())
        folds = self._folds(module) and are_suspected(container.names())
        if not steps and not folds and self._key == "":
            return container
        return listed(container, self._asked(module, steps, folds))

    def _folds(self, module: Module | None) -> bool:
        """Return whether reparametrized weights are folded."""
        return False

    def _asked(self, module: Module | None, steps: list[Step], folds: bool) -> Asked:
        def fit(tensors: NamedListing) -> ApplyResult:
            assert module is not None
            options = (self._filter, self._from_adapter, self._skip_enum_variants)
            return match(module, tensors, *options)[0]

        return Asked(
            key=self._key,
            steps=steps,
            folds=folds,
            module=module,
            fit=fit if module else None,
            filter=self._filter,
            says_numbers=self._allow_partial,
        )

    def _steps_in(self, gapped: Iterable[str]) -> list[Step]:
        """Return what happens to names that are read."""
        steps: list[Step] = []
        if self._stripped is not None:
            steps.append(self._stripped)
        steps += self._steps_out()
        if self._contiguous:
            steps.append(Contiguous(self._kept, set(gapped)))
        return steps

    def _steps_out(self) -> list[Step]:
        """Return what happens to names that are written."""
        return [] if self._remapper.is_empty() else [self._remapper]
