from collections.abc import Callable
from typing import Any, TypeVar

_T = TypeVar("_T")

WORD: int

def claim(make: Callable[[], _T], size: int, item: str) -> _T: ...
def check_arena(arena: Any, size: int, sample: Any, item: str) -> None: ...
