from collections.abc import Callable
from typing import Any

from burnrt.value import Value

METHODS: dict[str, Callable[..., Any]]

def method(value: Value, name: str) -> Any: ...
