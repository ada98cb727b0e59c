from collections.abc import Sequence

from burnpack.dtype import _Shape
from burnrt.kernels import NumberBuffer, Numbers

def resample2d(
    x: Numbers,
    x_shape: _Shape,
    out: NumberBuffer,
    out_shape: _Shape,
    rows: Sequence[tuple[int, int, float]],
    columns: Sequence[tuple[int, int, float]],
) -> None: ...
