from collections.abc import Callable
from typing import Any

HOMES: str
OPERATORS: str

def home(name: str) -> str | None: ...
def operator(name: str) -> Callable[..., Any]: ...
