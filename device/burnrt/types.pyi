from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, TypeAlias, type_check_only

from burnpack.types import File

@type_check_only
class Closable(File, Protocol):
    def read(self, size: int = ..., /) -> bytes: ...
    def close(self) -> None: ...

Pair: TypeAlias = tuple[int, int]

@type_check_only
class Numbers(Protocol):
    def __getitem__(self, index: int, /) -> float: ...

@type_check_only
class NumberBuffer(Numbers, Protocol):
    def __len__(self) -> int: ...
    def __setitem__(self, index: int, value: float, /) -> None: ...

Arena: TypeAlias = bytearray | memoryview

@type_check_only
class Words(Protocol):
    def __getitem__(self, place: int, /) -> int: ...
    def __iter__(self) -> Iterator[int]: ...
    def __len__(self) -> int: ...

Sizes: TypeAlias = int | tuple[int, int]

AnySizes: TypeAlias = int | Sequence[int]

Padding: TypeAlias = AnySizes | str

@type_check_only
class Windows(Protocol):
    @property
    def kernel_size(self) -> tuple[int, ...]: ...
    @property
    def stride(self) -> tuple[int, ...]: ...
    @property
    def padding(self) -> tuple[int, ...]: ...
    @property
    def dilation(self) -> tuple[int, ...]: ...

Calls: TypeAlias = list[tuple[Callable[..., None], tuple[Any, ...]]]

Gate: TypeAlias = Sequence[Numbers | None]
