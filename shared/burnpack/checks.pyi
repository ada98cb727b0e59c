from collections.abc import Iterable, Sequence

from burnpack.dtype import _Dtype
from burnpack.limits import Limits

RANK_MOST: int

def check_shape(name: str | None, shape: Sequence[int], offset: int | None = None) -> None: ...
def check_size(
    name: str | None,
    dtype: _Dtype,
    shape: Sequence[int],
    size: int,
    limits: Limits,
    offset: int | None = None,
) -> None: ...
def shape_text(shape: Iterable[int]) -> str: ...
