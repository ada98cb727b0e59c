from typing import TypeVar

_T = TypeVar("_T")

ON_BOARD: bool

def const(value: _T) -> _T: ...
