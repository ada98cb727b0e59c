"""SafeTensors in memory.

Every option returns the store, so that calls chain.
"""

from burnpack.memory_store import MemoryStore
from burnpack.safetensors import Reader

if False:  # for type checkers
    from typing import Self

    from burnpack.tensor import Tensor
    from burnpack.types import ContainerWriter


class SafetensorsStore(MemoryStore):
    """A SafeTensors container in memory, loaded from or saved into."""

    _reader_class = Reader

    def skip_enum_variants(self, wanted: bool) -> "Self":
        """Leave the names of enum variants out of the names saved and looked for, as PyTorch has none."""
        self._skip_enum_variants = wanted
        return self

    def _writer_of(self, tensors: "list[Tensor]", metadata: list[tuple[str, str]]) -> "ContainerWriter":
        from burnpack.safetensors_writer import Writer  # a board that only loads does not pay for it

        return Writer(tensors, metadata)
