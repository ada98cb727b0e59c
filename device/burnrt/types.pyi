from array import array
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Protocol, TypeAlias, overload, type_check_only

from burnpack.types import File, Shape

@type_check_only
class Closable(File, Protocol):
    def read(self, size: int = ..., /) -> bytes: ...
    def close(self) -> None: ...

Pair: TypeAlias = tuple[int, int]

@type_check_only
class Numbers(Protocol):
    def __getitem__(self, index: int, /) -> float: ...

@type_check_only
class NumberBuffer(Protocol):
    @overload
    def __getitem__(self, index: int, /) -> float: ...
    @overload
    def __getitem__(self, index: slice, /) -> Sequence[float] | Any: ...
    def __iter__(self) -> Iterator[float]: ...
    def __len__(self) -> int: ...
    def __setitem__(self, index: int, value: float, /) -> None: ...

FloatBuffer: TypeAlias = "array[float] | memoryview[float]"

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
    kernel_size: Shape
    stride: Shape
    padding: Shape
    dilation: Shape

@type_check_only
class PaddedWindows(Windows, Protocol):
    excess: Shape

@type_check_only
class SpreadWindows(Windows, Protocol):
    output_padding: Shape

Call: TypeAlias = tuple[Callable[..., object], tuple[Any, ...]]

Calls: TypeAlias = list[Call]

Spans: TypeAlias = list[tuple[int, int]]

# Of each dimension its extent, and from one number to the next in what is read, and in what is written.
Dimensions: TypeAlias = Sequence[tuple[int, int, int]]

Copied: TypeAlias = list[tuple[int, int, list[tuple[int, int, int]]]]

# Of each dimension how many there are, and from one to the next in several buffers.
Steps: TypeAlias = list[list[int]]

Pairs: TypeAlias = list[tuple[str, Any]]

Mask: TypeAlias = tuple[Numbers, int, int] | tuple[Numbers, int, int, int]

Masks: TypeAlias = Sequence[Mask]

Lines: TypeAlias = list[tuple[int, int, float]]

Geometry: TypeAlias = tuple[Shape, Shape, Shape, Pair, Pair, Pair]

Taps: TypeAlias = tuple["array[int]", "array[int]"]

Walk: TypeAlias = tuple[int, int, int, int, int, int, int]

Lives: TypeAlias = tuple[Sequence[int], Sequence[int], Sequence[int]]

# A weight, and a bias or None, for the input; the same for the hidden state.
Gate: TypeAlias = tuple[Any, Any, Any, Any]

RecurrentSizes: TypeAlias = tuple[int, int, int, int]

Places: TypeAlias = tuple[int, int, int, int, bool]
