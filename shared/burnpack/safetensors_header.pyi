from collections.abc import Sequence

from burnpack.dtype import _Shape
from burnpack.json_header import Cursor
from burnpack.limits import Limits
from burnpack.tensor import _Buffer

SIZE: str
HEADER_START: int
HEADER_MOST: int
METADATA: str
DTYPES: tuple[str, ...]

def parse_size(beginning: _Buffer, file_size: int, limits: Limits) -> int: ...
def parse_entry(cursor: Cursor) -> tuple[str, _Shape, int, int]: ...
def burn_name(dtype: str) -> str: ...
def check_whole(name: str | None, dtype: str, shape: Sequence[int], offset: int | None = None) -> None: ...
def check_end(end: int, file_size: int) -> None: ...
