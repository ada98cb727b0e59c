from collections.abc import Sequence
from typing import TypeAlias

_Store: TypeAlias = str | tuple[str, int]
_Block: TypeAlias = tuple[tuple[int, ...], str]

VALUES: dict[str, int]
SCALES: dict[str, int]
MODES: tuple[str, ...]
NATIVE: str
PACKED: tuple[str, ...]
BLOCK_RANK: int
BLOCK_MOST: int

class QFloat:
    value: str
    store: _Store
    mode: str
    tensor: str | None
    block: _Block | None
    def __init__(
        self,
        value: str = "Q8S",
        store: _Store = "Native",
        mode: str = "Symmetric",
        tensor: str | None = None,
        block: _Block | None = None,
    ) -> None: ...
    def parts(self) -> tuple[str, _Store, str, str | None, _Block | None]: ...
    def __eq__(self, other: object) -> bool: ...
    def __hash__(self) -> int: ...
    def nbytes(self, shape: Sequence[int]) -> int: ...
    def values_nbytes(self, shape: Sequence[int]) -> int: ...
    def packing(self) -> tuple[int, int]: ...
    def scales_nbytes(self, shape: Sequence[int]) -> int: ...
    def grid(self, shape: Sequence[int]) -> tuple[int, ...]: ...
