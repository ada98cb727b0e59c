from collections.abc import Callable
from typing import Any

from burnrt.functional.quantizing import fake_quantize_per_tensor_affine as fake_quantize_per_tensor_affine

HOMES: str
OPERATORS: str

def home(name: str) -> str | None: ...
def operator(name: str) -> Callable[..., Any]: ...
