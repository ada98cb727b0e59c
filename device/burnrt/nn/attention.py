"""Attention: its parameters, one Linear a projection as in Burn."""

from burnpack.errors import InvalidTensor, Unsupported
from burnrt.nn.layer import Declared
from burnrt.nn.linear import Linear


class MultiHeadAttention(Declared):
    """Attention of several heads: query, key, value and output, each a Linear of (embed_dim, embed_dim).

    PyTorch's arguments that Burn's layer has no part for are refused.
    """

    def __init__(
        self,
        embed_dim,
        num_heads,
        dropout=0.0,
        bias=True,
        add_bias_kv=False,
        add_zero_attn=False,
        kdim=None,
        vdim=None,
        batch_first=False,
    ):
        _refuse_others(embed_dim, add_bias_kv, add_zero_attn, kdim, vdim)
        if num_heads < 1 or embed_dim % num_heads:
            expected = "a multiple of heads, %d" % num_heads
            raise InvalidTensor("wrong embed_dim", "MultiHeadAttention", expected=expected, found=embed_dim)
        self.query = Linear(embed_dim, embed_dim, bias)
        self.key = Linear(embed_dim, embed_dim, bias)
        self.value = Linear(embed_dim, embed_dim, bias)
        self.output = Linear(embed_dim, embed_dim, bias)
        self.num_heads, self.dropout, self.batch_first = num_heads, dropout, batch_first


def _refuse_others(embed_dim, add_bias_kv, add_zero_attn, kdim, vdim):
    if add_bias_kv or add_zero_attn:
        raise Unsupported("Burn's has neither add_bias_kv nor add_zero_attn", "MultiHeadAttention")
    if kdim not in (None, embed_dim) or vdim not in (None, embed_dim):
        raise Unsupported("Burn's has keys and values of embed_dim alone", "MultiHeadAttention")
