from burnpack.dtype import _Shape
from burnrt.kernels import NumberBuffer, Numbers, _Pair

def max_pool2d(
    x: Numbers,
    x_shape: _Shape,
    out: NumberBuffer,
    out_shape: _Shape,
    kernel: _Pair,
    stride: _Pair,
    padding: _Pair,
    dilation: _Pair,
) -> None: ...
def avg_pool2d(
    x: Numbers,
    x_shape: _Shape,
    out: NumberBuffer,
    out_shape: _Shape,
    kernel: _Pair,
    stride: _Pair,
    padding: _Pair,
    count_include_pad: bool,
) -> None: ...
def adaptive_avg_pool2d(x: Numbers, x_shape: _Shape, out: NumberBuffer, out_shape: _Shape) -> None: ...
