"""Attention: each place of a sequence looks at all places of a sequence."""

from burnpack.errors import InvalidTensor, Unsupported
from burnrt import kernels
from burnrt import value as flow
from burnrt.nn.layer import Layer
from burnrt.nn.linear import Linear
from burnrt.nn.working import working

if False:  # for type checkers
    from typing import Any

    from burnpack.types import Shape
    from burnrt.types import Calls, Masks
    from burnrt.value import Value


class MultiHeadAttention(Layer):
    """Attend with several heads: softmax(Q · Kᵀ / √d) · V of each.

    Each head has embed_dim / num_heads of the projected numbers for itself. Q, K and V are its parts of what
    the Linears query, key and value make, d is their width, and the Linear output takes the answers of all
    heads: Attention Is All You Need (arXiv 1706.03762), as in PyTorch and Burn.

    `layer(query, key, value)` returns (output, weights), as PyTorch does; a value that is not given is as the
    one before. query [queries, batch, embed_dim], or with batch_first [batch, queries, embed_dim], or of one
    sample [queries, embed_dim]; the output has the same shape. key and value alike, of as many keys. The
    weights are the softmax, the mean of all heads: [batch, queries, keys], or of one sample [queries, keys].

    query, key, value, output: Linears of (embed_dim, embed_dim); those of key and value take kdim and vdim
        numbers, as keys and values then have.
    bias: whether they have biases.
    quiet_softmax, min_float: Burn's: whether a head may look at nothing, and the score of what is masked.
    dropout: only matters in training.
    add_bias_kv, add_zero_attn: PyTorch's, refused unless they are False.
    """

    query: "Linear"
    key: "Linear"
    value: "Linear"
    output: "Linear"
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
        *,
        quiet_softmax: bool = False,
        min_float: float = -1.0e4,
    ) -> None:
        if add_bias_kv or add_zero_attn:
            raise Unsupported("Burn's has neither add_bias_kv nor add_zero_attn", "MultiHeadAttention")
        self.check_sizes(1, embed_dim=embed_dim, num_heads=num_heads)
        if embed_dim % num_heads:
            expected = "a multiple of heads, %d" % num_heads
            raise InvalidTensor("wrong embed_dim", "MultiHeadAttention", expected=expected, found=embed_dim)
        self.query = Linear(embed_dim, embed_dim, bias)
        self.key = Linear(embed_dim if kdim is None else kdim, embed_dim, bias)
        self.value = Linear(embed_dim if vdim is None else vdim, embed_dim, bias)
        self.output = Linear(embed_dim, embed_dim, bias)
        self.num_heads, self.dropout, self.batch_first = num_heads, dropout, batch_first
        self.embed_dim, self.quiet_softmax, self.min_float = embed_dim, quiet_softmax, min_float

    def output_shape(
        self, query: "Shape", key: "Shape | None" = None, value: "Shape | None" = None
    ) -> "Shape":
        """Return the shape of the output, that of the query. Raises `InvalidTensor` where shapes do not fit.

        query, key, value: shapes; key is as query and value as key where they are None.
        """
        query = tuple(query)
        key = query if key is None else tuple(key)
        value = key if value is None else tuple(value)
        if len(query) not in (2, 3) or query[-1] != self.embed_dim or min(query) < 1:
            order = "batch, queries" if self.batch_first else "queries, batch"
            self.refuse(query, "[%s, %d]" % (order, self.embed_dim))
        place = self._place(query)
        expected = query[:place] + key[place : place + 1] + query[place + 1 : -1]
        for shape, layer in ((key, self.key), (value, self.value)):
            if shape != expected + layer.weight.shape[:1] or min(shape) < 1:
                self.refuse(shape, "the shape of query but for the places, or of key")
        return query

    def forward(  # type: ignore[override]
        self,
        query: "Value",
        key: "Value | None" = None,
        value: "Value | None" = None,
        key_padding_mask: "Any" = None,
        need_weights: bool = True,
        attn_mask: "Any" = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> "tuple[Value, Value | None]":
        """Return (output, weights), as the class says.

        query, key, value: `Value`s.
        need_weights: without them the second of the pair is None, and no memory is needed for them.
        average_attn_weights: False returns those of each head, [batch, heads, queries, keys].
        key_padding_mask, attn_mask: numbers that are added to the scores, as PyTorch's masks of floats;
            [batch, keys], or of one sample [keys], and [queries, keys]. Truths that hide places are
            `where(mask, -inf, 0.0)`, or are given to `attend`.
        is_causal: only says that attn_mask is, which must be there.
        """
        if is_causal and attn_mask is None:
            raise InvalidTensor("is_causal is said of an attn_mask, as in PyTorch", type(self).__name__)
        key = query if key is None else key
        value = key if value is None else value
        for input in (query, key, value):
            if not hasattr(input, "through"):
                self.refuse_input(input)
        shape = self.output_shape(query.shape, key.shape, value.shape)
        layer: Layer = self
        others = [key, value]
        if key_padding_mask is not None or attn_mask is not None:
            from burnrt.nn.masked import masked  # few models have masks

            layer, others = masked(self, query, key, value, key_padding_mask, attn_mask)
        if not need_weights:
            return query.into((shape,), layer, *others)[0], None
        batch, queries, keys, heads, _ = self.layout(query.shape, key.shape)[0]
        weights: "Shape" = () if len(shape) == 2 else (batch,)
        weights += (queries, keys) if average_attn_weights else (heads, queries, keys)
        return query.into((shape, weights), layer, *others)  # type: ignore[return-value] # two

    def bind(self, query: "Value", *others: "Any") -> "Calls":
        """Return the calls that fill the output.

        query: a `Value`.
        others: output; key, output; key, value, output; or key, value, output, weights, which may be None.
        """
        weights = others[3] if len(others) > 3 else None
        *given, output = others[:3]
        key = given[0] if given else query
        value = given[1] if len(given) > 1 else key
        return self.bound(query, key, value, output, (), weights)

    def bound(
        self,
        query: "Value",
        key: "Value",
        value: "Value",
        output: "Value",
        masks: "Masks",
        weights: "Value | None",
    ) -> "Calls":
        """Return the calls that fill the output, and the weights unless there are none.

        query, key, value, output: `Value`s. masks: as `kernels.attention` takes them.
        weights: a `Value` for the mean of all heads, or for those of each.
        """
        if weights is None:
            return self._calls(query, key, value, output, masks, None)
        batch, queries, keys, heads, _ = self.layout(query.shape, key.shape)[0]
        if heads == 1 or len(weights.data) == batch * heads * queries * keys:
            return self._calls(query, key, value, output, masks, weights)
        every = flow.allocate((batch, heads, queries, keys))
        return self._calls(query, key, value, output, masks, every) + _means(every, weights)

    def attend(
        self,
        query: "Value",
        key: "Value | None" = None,
        value: "Value | None" = None,
        mask_pad: "Value | None" = None,
        mask_attn: "Value | None" = None,
        weights: "Value | None" = None,
    ) -> "Value":
        """Return the output where masks say what is not looked at: where a mask's number is not zero.

        query, key, value: `Value`s; key is as query and value as key where they are None.
        mask_pad: a `Value` [batch, keys], or None.
        mask_attn: a `Value` [batch, queries, keys], or [queries, keys] for all samples, or None. The data of
            masks may be bytes.
        weights: a `Value` [batch, heads, queries, keys] that is filled with the softmax, or None.
        """
        key = query if key is None else key
        value = key if value is None else value
        output = flow.allocate(self.output_shape(query.shape, key.shape, value.shape))
        batch, queries, keys = self.layout(query.shape, key.shape)[0][:3]
        masks = self._masks(mask_pad, mask_attn, batch, queries, keys)
        expected = (batch, self.num_heads, queries, keys)
        if weights is not None and weights.shape != expected:
            self.refuse(weights.shape, "weights %r" % (list(expected),))
        for kernel, arguments in self._calls(query, key, value, output, masks, weights):
            kernel(*arguments)
        return output

    def _calls(
        self,
        query: "Value",
        key: "Value",
        value: "Value",
        output: "Value",
        masks: "Masks",
        weights: "Value | None",
    ) -> "Calls":
        sizes, steps = self.layout(query.shape, key.shape)
        # The output's buffer is free until the last of the calls, so that the keys can be there.
        projected = key.shape[:-1] + (self.embed_dim,)
        free = output.shape == projected
        shapes = (query.shape, projected, (sizes[2],), (0,) if free else projected)
        asked, valued, scores, keyed = working(self, *shapes)
        keyed = output if free else keyed
        shares = None if weights is None else weights.data
        settings = (masks, self.min_float, self.quiet_softmax, scores.data, shares)
        numbers = (asked.data, keyed.data, valued.data) + settings + (asked.data, sizes, steps)
        calls = self.query.bind(query, asked) + self.key.bind(key, keyed) + self.value.bind(value, valued)
        return calls + [(kernels.attention, numbers)] + self.output.bind(asked, output)

    def layout(
        self, query: "Shape", key: "Shape"
    ) -> tuple[tuple[int, int, int, int, int], tuple[int, int, int]]:
        """Return how inputs of these shapes lie, as `kernels.attention` takes it: sizes, steps."""
        queries, keys = query[self._place(query)], key[self._place(key)]
        batch = 1 if len(query) == 2 else query[1 - self._place(query)]
        sizes = (batch, queries, keys, self.num_heads, self.embed_dim // self.num_heads)
        if self._place(query) == len(query) - 2:
            return sizes, (queries * self.embed_dim, keys * self.embed_dim, self.embed_dim)
        return sizes, (self.embed_dim, self.embed_dim, batch * self.embed_dim)

    def _place(self, shape: "Shape") -> int:
        """Return which dimension of `shape` the places of the sequence are."""
        return 1 if self.batch_first and len(shape) == 3 else 0

    def _masks(
        self, mask_pad: "Value | None", mask_attn: "Value | None", batch: int, queries: int, keys: int
    ) -> "Masks":
        """Return the masks as `kernels.attention` takes them."""
        masks = []
        if mask_pad is not None:
            if mask_pad.shape != (batch, keys):
                self.refuse(mask_pad.shape, "a mask_pad [%d, %d]" % (batch, keys))
            masks.append((mask_pad.data, keys, 0))
        if mask_attn is not None:
            if mask_attn.shape not in ((queries, keys), (batch, queries, keys)):
                self.refuse(mask_attn.shape, "a mask_attn [%d, %d, %d]" % (batch, queries, keys))
            masks.append((mask_attn.data, queries * keys if len(mask_attn.shape) == 3 else 0, keys))
        return masks


def _means(every: "Value", out: "Value") -> "Calls":
    """Return the calls that fill `out` with the mean of all heads: their product with equal shares."""
    batch, heads, queries, keys = every.shape
    size = queries * keys
    shares = kernels.floats([1 / heads] * heads)
    parts, wholes = memoryview(every.data), memoryview(out.data)  # type: ignore[arg-type] # both are buffers
    calls: "Calls" = []
    for image in range(batch):
        part = parts[image * heads * size : (image + 1) * heads * size]
        whole = wholes[image * size : (image + 1) * size]
        calls.append((kernels.linear, (shares, part, None, whole, 1, heads, size)))
    return calls
