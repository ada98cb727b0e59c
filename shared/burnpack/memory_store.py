"""What the stores in memory share: where there are no files, a module is loaded from and saved into these.

Every option returns the store, so that calls chain.
"""

from burnpack.errors import SaveFailed
from burnpack.loading_store import LoadingStore
from burnpack.version import VERSION

if False:  # for type checkers
    from typing import Self

    from _typeshed import ReadableBuffer

    from burnpack.container import Container
    from burnpack.limits import Limits
    from burnpack.module import Module
    from burnpack.tensor import Tensor
    from burnpack.types import Adapter, ContainerWriter, Source, T


class MemoryStore(LoadingStore):
    """A container in memory.

    A format's store derives from this, names its `_reader_class`, and says in
    `_writer_of(tensors, metadata)` what writes it.
    """

    _reader_class: "type[Container]"
    _reader: "Source | None"
    _written: bytes | None
    _metadata: list[tuple[str, str]]
    _to_adapter: "Adapter | None"
    _alias_tied: bool

    def __init__(self) -> None:
        super().__init__()
        self._reader = None
        self._written = None
        form = self._reader_class.format
        self._metadata = [("format", form), ("producer", "burnstore"), ("version", VERSION)]
        self._to_adapter = None
        self._alias_tied = False

    @classmethod
    def from_bytes(cls, data: "ReadableBuffer | None" = None, limits: "Limits | None" = None) -> "Self":
        """Return a store that loads from bytes, or one to save into.

        data: the bytes of a container, copied unless they can't change; None: there is nothing to load yet.
        limits: how much is believed of what the container claims: a `Limits`.
        """
        if data is None:
            return cls()
        data = data if isinstance(data, bytes) else bytes(data)
        store = cls.from_static(data, limits)
        store._written = data
        return store

    @classmethod
    def from_static(cls, buffer: "ReadableBuffer", limits: "Limits | None" = None) -> "Self":
        """Return a store that loads from `buffer` in place: it is sliced, kept alive and never copied.

        limits: how much is believed of what the container claims: a `Limits`.
        """
        store = cls()
        store._reader = cls._reader_class.from_static(buffer, limits)
        return store

    def get_bytes(self) -> bytes:
        """Return the container that was saved, or that the store was made of. Raises `SaveFailed`."""
        if self._written is None:
            raise SaveFailed("nothing has been saved into this store")
        return self._written

    def metadata(self, key: str, value: str) -> "Self":
        """Put one more text into the metadata that is saved.

        key, value: texts; one of the same key is replaced.
        """
        self._metadata = with_pair(self._metadata, key, value)
        return self

    def clear_metadata(self) -> "Self":
        """Save without metadata."""
        self._metadata = []
        return self

    def with_to_adapter(self, adapter: "Adapter") -> "Self":
        """Adapt what is saved."""
        self._to_adapter = adapter
        return self

    def alias_tied(self, wanted: bool) -> "Self":
        """Save a parameter of several names under the first alone; the metadata says: other name = first.

        Such a file loads into a module with the same parameters tied. Without this each name is saved.
        """
        self._alias_tied = wanted
        return self

    def collect_from(self, module: "Module") -> None:
        """Save the module."""
        tensors, aliases = self._collected(module)
        self._written = self._writer_of(tensors, self._metadata + aliases).to_bytes()
        self._reader = self._reader_class.from_bytes(self._written)

    def _collected(self, module: "Module") -> "tuple[list[Tensor], list[tuple[str, str]]]":
        """Return the tensors to save, and (name left out, name kept) pairs for the metadata."""
        options = (self._filter, self._to_adapter, self._skip_enum_variants)
        if not self._alias_tied:
            return module.collect(*options), []
        from burnpack.tied import collect_untied  # a board that only loads does not pay for it

        return collect_untied(module, *options)

    def _writer_of(self, tensors: "list[Tensor]", metadata: list[tuple[str, str]]) -> "ContainerWriter":
        """Return what writes the tensors; each format's store says it."""
        raise NotImplementedError

    def _source(self) -> "Source":
        return super()._source() if self._reader is None else self._reader


def with_pair(pairs: "list[tuple[str, T]]", key: str, value: "T") -> "list[tuple[str, T]]":
    """Return (key, value) pairs with one more, which takes the place of one with its key."""
    return [pair for pair in pairs if pair[0] != key] + [(key, value)]
