from burnpack.dtype import _Shape
from burnrt.kernels import NumberBuffer, Numbers, _Pair

def conv_transpose2d(
    x: Numbers,
    x_shape: _Shape,
    weight: Numbers,
    weight_shape: _Shape,
    bias: Numbers | None,
    out: NumberBuffer,
    out_shape: _Shape,
    stride: _Pair,
    padding: _Pair,
    dilation: _Pair,
    groups: int,
) -> None: ...
