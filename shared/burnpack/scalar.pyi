from typing import TypeAlias

from burnpack.cbor import Cursor

_Number: TypeAlias = bool | int | float
_Scalar: TypeAlias = tuple[str, _Number]

KINDS: tuple[str, ...]

def parse_scalar(cursor: Cursor) -> _Scalar: ...
def fits(kind: str, value: object) -> bool: ...
def as_scalar(name: str, value: _Number | _Scalar) -> _Scalar: ...
