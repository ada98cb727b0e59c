from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

from burnpack.dtype import _Dtype, _Shape

_Buffer: TypeAlias = bytes | bytearray | memoryview
_Writable: TypeAlias = bytearray | memoryview
_Data: TypeAlias = _Buffer | Callable[[], _Buffer]
_Fill: TypeAlias = Callable[[_Writable], object]

class Tensor:
    name: str
    dtype: _Dtype
    shape: _Shape
    param_id: int | None
    nbytes: int
    def __init__(
        self,
        name: str,
        dtype: _Dtype,
        shape: Iterable[int],
        data: _Data,
        param_id: int | None = None,
        nbytes: int | None = None,
        fill: _Fill | None = None,
    ) -> None: ...
    def data(self) -> _Buffer: ...
    def pieces(self) -> Iterator[_Buffer]: ...
    def readinto(self, buffer: _Writable) -> None: ...
    def renamed(self, name: str) -> Tensor: ...
