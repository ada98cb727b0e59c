from collections.abc import Callable
from typing import Any

def caller(count: int) -> Callable[[Callable[..., Any], tuple[Any, ...]], Any]: ...
