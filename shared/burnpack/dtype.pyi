from collections.abc import Iterable, Sequence
from typing import TypeAlias, overload

from burnpack.qfloat import QFloat

_Dtype: TypeAlias = str | QFloat
_Shape: TypeAlias = tuple[int, ...]
_Row: TypeAlias = tuple[str, int, str, str | None]

FLOAT: str
INT: str
BOOL: str
COMPLEX: str
OPAQUE: str
ROWS: tuple[_Row, ...]

def row(dtype: _Dtype) -> _Row | None: ...
def kind(dtype: _Dtype) -> str: ...
@overload
def nbytes(dtype: QFloat, shape: Sequence[int]) -> int: ...
@overload
def nbytes(dtype: _Dtype, shape: Sequence[int]) -> int | None: ...
def count(shape: Iterable[int]) -> int: ...
