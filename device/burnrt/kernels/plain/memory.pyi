from collections.abc import Callable, Sequence

from burnpack.dtype import _Dtype
from burnpack.tensor import _Buffer
from burnrt.kernels import NumberBuffer, Numbers

def buffer(count: int) -> NumberBuffer: ...
def floats(values: Sequence[float]) -> NumberBuffer: ...
def fill(out: NumberBuffer, start: int, count: int, value: float) -> None: ...
def copy_rows(
    x: Numbers,
    start: int,
    step: int,
    out: NumberBuffer,
    to: int,
    out_step: int,
    rows: int,
    size: int,
) -> None: ...
def weights(data: _Buffer, dtype: _Dtype, count: int) -> Numbers | None: ...

class Halves:
    def __init__(self, data: _Buffer, decode: Callable[[int], float]) -> None: ...
    def __getitem__(self, index: int) -> float: ...
