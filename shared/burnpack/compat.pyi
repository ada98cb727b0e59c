from collections.abc import Iterable
from typing import Any, TypeVar

_T = TypeVar("_T")

ON_BOARD: bool

def const(value: _T) -> _T: ...
def rising(items: Iterable[Any]) -> list[Any]: ...
