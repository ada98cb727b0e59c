"""What all stores share: how a module is loaded, and from which of the tensors.

Every option returns the store, so that calls chain.
"""

from burnpack.apply import load
from burnpack.compat import rising
from burnpack.errors import LoadFailed
from burnpack.filter import PathFilter

if False:  # for type checkers
    from collections.abc import Iterable
    from typing import Any, Self

    from burnpack.module import Module
    from burnpack.result import ApplyResult
    from burnpack.tensor import Tensor
    from burnpack.types import Adapter, Advice, Filter, Predicate, Source


class LoadingStore:
    """The options of loading, and loading. Every option returns the store, so that calls chain.

    A store derives from this and says in `_source()` where its tensors are found by name.
    """

    _filter: "Filter | None"
    _own_filter: "PathFilter | None"
    _from_adapter: "Adapter | None"
    _allow_partial: bool
    _validate: bool
    _skip_enum_variants: bool

    def __init__(self) -> None:
        self._filter = None
        self._own_filter = None
        self._from_adapter = None
        self._allow_partial = False
        self._validate = True
        self._skip_enum_variants = False

    def allow_partial(self, allowed: bool) -> "Self":
        """Load even where the container lacks some of the module's parameters."""
        self._allow_partial = allowed
        return self

    def validate(self, wanted: bool) -> "Self":
        """Raise where a tensor does not fit; without, such parameters stay as they are."""
        self._validate = wanted
        return self

    def filter(self, criteria: "Filter") -> "Self":
        """Load and save only the parameters that a `PathFilter` lets pass."""
        self._filter = criteria
        self._own_filter = None
        return self

    def with_full_path(self, path: str) -> "Self":
        """Load and save the parameter at exactly this path, besides what else passes."""
        self._criteria().with_full_path(path)
        return self

    def with_full_paths(self, paths: "Iterable[str]") -> "Self":
        """Load and save the parameters at exactly these paths, besides what else passes."""
        self._criteria().with_full_paths(paths)
        return self

    def with_predicate(self, predicate: "Predicate") -> "Self":
        """Load and save the parameters for which `predicate(path, container_path)` is true."""
        self._criteria().with_predicate(predicate)
        return self

    def with_predicates(self, predicates: "Iterable[Predicate]") -> "Self":
        """Load and save the parameters for which any of the predicates is true."""
        self._criteria().with_predicates(predicates)
        return self

    def with_from_adapter(self, adapter: "Adapter") -> "Self":
        """Adapt what is loaded."""
        self._from_adapter = adapter
        return self

    def match_all(self) -> "Self":
        """Load and save every parameter."""
        self._criteria().match_all()
        return self

    def keys(self) -> list[str]:
        """Return the names of all tensors, sorted, whatever the filter says."""
        return rising(self._source().names())

    def container(self) -> "Any":
        """Return the opened container that is loaded from, with its metadata and scalars."""
        return self._source()

    def get_tensor(self, name: str) -> "Tensor":
        """Return one tensor; raises `NotFound`."""
        return self._source().tensor(name)

    def get_all_tensors(self) -> "list[Tensor]":
        """Return all tensors, sorted by name."""
        source = self._source()
        return [source.tensor(name) for name in rising(source.names())]

    def apply_to(self, module: "Module") -> "ApplyResult":
        """Load the module; return the `ApplyResult`. A load that fails leaves the module as it was.

        Raises `LoadFailed` where tensors do not fit (see `validate`), or are missing (see `allow_partial`).
        """
        source = self._source()

        def advice(result: "ApplyResult") -> "Advice":
            from burnpack.hints import advice  # a load that succeeds does not pay for it

            return advice(self, module, source, result)

        return load(
            module,
            source,
            self._filter,
            self._from_adapter,
            self._skip_enum_variants,
            self._allow_partial,
            self._validate,
            (),
            advice,
        )

    def _source(self) -> "Source":
        """Return where the tensors are found by name; each store says it."""
        raise LoadFailed("there is nothing to load in this store")

    def _criteria(self) -> "PathFilter":
        """Return the filter that options are added to: the store's own, never one that was given."""
        if self._own_filter is None:
            self._own_filter = PathFilter()
            given = self._filter
            if given is not None:
                self._own_filter.with_predicate(
                    lambda path, within: given.matches(path, tuple(within.split(".")))
                )
            self._filter = self._own_filter
        return self._own_filter


class ReaderStore(LoadingStore):
    """A store that loads from a container that is open already."""

    def __init__(self, reader: "Source") -> None:
        super().__init__()
        self._reader = reader

    def _source(self) -> "Source":
        return self._reader
