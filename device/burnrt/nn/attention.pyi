from burnpack.dtype import _Shape
from burnrt.nn.layer import Layer, _Calls
from burnrt.nn.linear import Linear
from burnrt.value import Value

class MultiHeadAttention(Layer):
    query: Linear
    key: Linear
    value: Linear
    output: Linear
    num_heads: int
    dropout: float
    batch_first: bool
    embed_dim: int
    quiet_softmax: bool
    min_float: float
    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: int | None = None,
        vdim: int | None = None,
        batch_first: bool = False,
        device: object = None,
        dtype: object = None,
        quiet_softmax: bool = False,
        min_float: float = -1.0e4,
    ) -> None: ...
    def output_shape(
        self, query: _Shape, key: _Shape | None = None, value: _Shape | None = None
    ) -> _Shape: ...
    def bind(self, query: Value, *others: Value) -> _Calls: ...
    def attend(
        self,
        query: Value,
        key: Value | None = None,
        value: Value | None = None,
        mask_pad: Value | None = None,
        mask_attn: Value | None = None,
        weights: Value | None = None,
    ) -> Value: ...
