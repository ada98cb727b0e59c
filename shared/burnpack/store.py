"""Burn's own format in memory.

Every option returns the store, so that calls chain.
"""

from burnpack.loading_store import LoadingStore  # noqa: F401 - handed on to who derives from it
from burnpack.memory_store import MemoryStore, with_pair
from burnpack.reader import Reader

if False:  # for type checkers
    from typing import Self

    from burnpack.tensor import Tensor
    from burnpack.types import ContainerWriter, Number, Scalar


class BurnpackStore(MemoryStore):
    """A Burnpack container in memory, loaded from or saved into."""

    _reader_class = Reader

    def __init__(self) -> None:
        super().__init__()
        self._scalars: "list[tuple[str, Number | Scalar]]" = []

    def scalar(self, key: str, value: "Number | Scalar") -> "Self":
        """Save a scalar beside the tensors.

        key: its name.
        value: an int, float or bool, or (kind, value) with the kind "Int", "UInt", "Float" or "Bool".
        """
        self._scalars = with_pair(self._scalars, key, value)
        return self

    def _writer_of(self, tensors: "list[Tensor]", metadata: list[tuple[str, str]]) -> "ContainerWriter":
        from burnpack.writer import Writer  # a board that only loads does not pay for it

        return Writer(tensors, metadata, self._scalars)
