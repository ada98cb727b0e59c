from burnpack.adapters import Adapter
from burnpack.filter import Filter
from burnpack.module import Module
from burnpack.tensor import Tensor

def collect_untied(
    module: Module,
    filter: Filter | None = None,
    adapter: Adapter | None = None,
    skip_enum_variants: bool = False,
) -> tuple[list[Tensor], list[tuple[str, str]]]: ...
