from burnrt.nn.layer import Declared
from burnrt.nn.linear import Linear

class MultiHeadAttention(Declared):
    query: Linear
    key: Linear
    value: Linear
    output: Linear
    num_heads: int
    dropout: float
    batch_first: bool
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
    ) -> None: ...
