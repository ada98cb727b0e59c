"""What all stores share: where a checkpoint is, the options of loading it, and loading."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self

from burnpack.compat import rising
from burnpack.errors import LoadFailed, UnknownFormat
from burnpack.limits import Limits
from burnpack.module import Module
from burnpack.result import ApplyResult
from burnpack.tensor import Tensor
from burnstore.io.container import Container
from burnstore.io.files import PathLike
from burnstore.io.opened import OpenedFile, open_view
from burnstore.naming.filters import PathFilter
from burnstore.naming.remap import KeyRemapper
from burnstore.pipeline.layouts import BURN, Source, matched
from burnstore.pipeline.loading import load_into
from burnstore.pipeline.options import Options
from burnstore.pipeline.selecting import is_as_it_lies, selected

if TYPE_CHECKING:
    from burnpack.types import Advice, Filter, Predicate

# The store that a file of each format is for.
_STORES = {"burnpack": "BurnpackStore", "safetensors": "SafetensorsStore", "pytorch": "PytorchStore"}


class Store:
    """A checkpoint in a file or in memory. The store of a format derives from this.

    A file is opened when it is first needed, and parsed once.
    """

    format: str
    # What a store of the format asks for unless it is told otherwise.
    _usual = Options(from_layout=BURN, top_level_key="", contiguous=False, skip_enum_variants=False)

    _empty_filter_counts = False  # whether nothing passes a filter without criteria, or all does

    def __init__(self) -> None:
        self._options = self._usual
        self._path: Path | None = None
        self._limits: Limits | None = None
        self._file: OpenedFile | None = None
        self._bytes: Any = None  # of a store in memory
        self._memory: Container | None = None
        self._named: Source | None = None
        self._criteria = PathFilter()  # the store's own filter, never one that was given

    @classmethod
    def from_file(cls, path: PathLike, limits: Limits | None = None) -> Self:
        """Return a store of the file at `path`, which is opened when it is first used.

        limits: how much is believed of what the file claims: a `Limits`.
        """
        store = cls()
        store._path = Path(path)
        store._limits = limits
        return store

    @classmethod
    def from_bytes(cls, data: Any = None, limits: Limits | None = None) -> Self:
        """Return a store that loads from bytes, or one to save into.

        data: the bytes of a container, copied where they can change; None: there is nothing to load yet.
        limits: how much is believed of what the container claims: a `Limits`.
        """
        if data is None:
            return cls()
        return cls.from_static(data if isinstance(data, bytes) else bytes(data), limits)

    @classmethod
    def from_static(cls, buffer: Any, limits: Limits | None = None) -> Self:
        """Return a store that loads from `buffer` in place: it is sliced, kept alive and never copied.

        limits: how much is believed of what the container claims: a `Limits`.
        """
        store = cls()
        store._bytes = buffer
        store._memory = store._checked(open_view(memoryview(buffer).cast("B"), None, limits))
        return store

    def allow_partial(self, allowed: bool) -> Self:
        """Load even where the checkpoint lacks some of the module's parameters."""
        return self._with(allow_partial=allowed)

    def validate(self, wanted: bool) -> Self:
        """Raise where a tensor does not fit; without, such parameters stay as they are."""
        return self._with(validate=wanted)

    def filter(self, criteria: "Filter") -> Self:
        """Load and save only the parameters that a `PathFilter`, as it is now, lets pass.

        One without criteria is none, as in Burn, but for a `BurnpackStore`, where nothing passes it.
        """
        return self._filtered(PathFilter().with_filter(criteria))

    with_filter = filter

    def with_regex(self, pattern: str) -> Self:
        """Take the parameters in whose path `pattern` is found, besides what else passes.

        Raises `Malformed` at once for what is no regular expression.
        """
        return self._passing(lambda criteria: criteria.with_regex(pattern))

    def with_regexes(self, patterns: Iterable[str]) -> Self:
        """Take the parameters in whose path any of the patterns is found, besides what else passes."""
        return self._passing(lambda criteria: criteria.with_regexes(patterns))

    def with_full_path(self, path: str) -> Self:
        """Take the parameter at exactly this path, besides what else passes."""
        return self._passing(lambda criteria: criteria.with_full_path(path))

    def with_full_paths(self, paths: Iterable[str]) -> Self:
        """Take the parameters at exactly these paths, besides what else passes."""
        return self._passing(lambda criteria: criteria.with_full_paths(paths))

    def with_predicate(self, predicate: "Predicate") -> Self:
        """Take the parameters for which `predicate(path, container_path)` is true."""
        return self._passing(lambda criteria: criteria.with_predicate(predicate))

    def with_predicates(self, predicates: "Iterable[Predicate]") -> Self:
        """Take the parameters for which any of the predicates is true."""
        return self._passing(lambda criteria: criteria.with_predicates(predicates))

    def match_all(self) -> Self:
        """Take every parameter."""
        return self._passing(lambda criteria: criteria.match_all())

    def with_key_remapping(self, pattern: str, replacement: str) -> Self:
        """Change names: those read when loading, those written when saving.

        pattern: a regular expression; every place where it is found is replaced.
        replacement: a text with groups as `$1`, `${name}` or `\\1`: see `KeyRemapper`.

        Raises `Malformed` at once for what is no regular expression.
        """
        remapper = self._options.remapper
        remapper = KeyRemapper() if remapper is None else remapper.copy()
        return self._with(remapper=remapper.add_pattern(pattern, replacement))

    with_remap_pattern = with_key_remapping

    def remap(self, remapper: KeyRemapper) -> Self:
        """Change names by a `KeyRemapper`, instead of by what was given before."""
        return self._with(remapper=None if remapper.is_empty() else remapper.copy())

    def strip_prefixes(self, *prefixes: str) -> Self:
        """Take prefixes off the names read that have them, one after the other, besides those given before.

        Without any, those of the usual wrappers, as often as all names have them: "module.", "_orig_mod." and
        "model.".
        """
        return self._with(prefixes=self._options.prefixes + (prefixes or ("",)))

    def keys(self) -> list[str]:
        """Return the names of all tensors, sorted, whatever the filter says."""
        return rising(self._source().names())

    def get_tensor(self, name: str) -> Tensor:
        """Return one tensor; raises `NotFound`."""
        return self._source().tensor(name)

    def get_all_tensors(self) -> list[Tensor]:
        """Return all tensors, sorted by name."""
        source = self._source()
        return [source.tensor(name) for name in rising(source.names())]

    def notes(self) -> list[str]:
        """Return what was found out without having been told, as texts."""
        return self._notes_on(self._source())

    def container(self) -> Container:
        """Return the opened container, its tensors under their own names.

        Raises `LoadFailed` where there is nothing to load, `BurnpackError` for what is in the file.
        """
        if self._path is None:
            if self._memory is None:
                raise LoadFailed("there is nothing to load in this store")
            return self._memory
        if self._file is None:
            file = OpenedFile(self._path_to_read(self._path), self._limits)
            try:
                self._checked(file.reader)
            except UnknownFormat:
                file.close()
                raise
            self._file = file
        return self._file.reader

    def apply_to(self, module: Module) -> ApplyResult:
        """Load the module; return the `ApplyResult`. A load that fails leaves the module as it was.

        Raises `LoadFailed` where tensors do not fit (see `validate`), or are missing (see `allow_partial`),
        `BurnpackError` for what is in the file.
        """
        source = self._selected(module)

        def advice(result: ApplyResult) -> "Advice":
            from burnstore.advice.stores import advice  # a load that succeeds does not wait for it

            return advice(self, module, result)

        return load_into(module, source, self._options, self._notes_on(source), advice)

    def tried(self, module: Module) -> ApplyResult:
        """Return what would become of a load of the module; nothing is changed, and no tensor is read.

        Raises `BurnpackError` for what is in the file.
        """
        return matched(module, self._selected(module), self._options)[0]

    def collect_from(self, module: Module) -> None:
        """Save the module, where the format can be written."""
        raise NotImplementedError

    def is_closed(self) -> bool:
        """Return whether the checkpoint is a file that is not open now."""
        return self._path is not None and self._file is None

    def is_partial(self) -> bool:
        """Return whether the checkpoint may lack some of a module's parameters."""
        return self._options.allow_partial

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

    def _with(self, **asked: Any) -> Self:
        """Change what is asked for; return the store."""
        self._options = replace(self._options, **asked)
        self._named = None
        return self

    def _passing(self, add: Callable[[PathFilter], object]) -> Self:
        """Let more parameters pass; `add` says which to the store's own filter."""
        add(self._criteria)
        return self._filtered(self._criteria)

    def _filtered(self, criteria: PathFilter) -> Self:
        self._criteria = criteria
        ignored = criteria.is_empty() and not self._empty_filter_counts
        return self._with(filter=None if ignored else criteria)

    def _keep_numbers(self, pattern: str) -> Self:
        kept = self._options.kept_numbers or PathFilter()
        return self._with(kept_numbers=kept | PathFilter().with_regex(pattern))

    def _path_to_read(self, path: Path) -> Path:
        """Return the path that is read where the user gave `path`."""
        return path

    def _checked(self, container: Container) -> Container:
        if container.format != self.format:
            what = f"a file of the format {container.format}: {_STORES[container.format]} loads it"
            raise UnknownFormat(what, source=container.source)
        return container

    def _source(self) -> Source:
        """Return the tensors where there is no module to be loaded, found once."""
        if self._named is None:
            self._named = self._selected(None)
        return self._named

    def _selected(self, module: Module | None) -> Source:
        """Return the tensors that are meant; the container itself, where nothing happens to names."""
        container = self.container()
        if is_as_it_lies(container, self._options):
            return container
        return selected(container, self._options, module)

    def _notes_on(self, source: Any) -> list[str]:
        return list(getattr(source, "notes", ()))
