from typing import Any

from burnpack.cbor import Cursor
from burnpack.dtype import _Dtype, _Shape

FLOATS: tuple[str, ...]
INTEGERS: tuple[str, ...]
BOOLS: dict[str, str]
TODAY: int
BARE_BOOL: int
OLD_SCHEME: int

def parse_descriptor(cursor: Cursor) -> tuple[_Dtype, _Shape, int, int, int | None, int]: ...
def parse_dtype(cursor: Cursor) -> tuple[_Dtype, int]: ...
def dtype_value(dtype: _Dtype) -> str | list[tuple[str, Any]]: ...
