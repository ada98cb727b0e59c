from typing import Any

from burnrt.model import Model as Model
from burnrt.value import Value as Value
from burnrt.value import tensor as tensor

def part(package: str, homes: dict[str, str], name: str) -> Any: ...
