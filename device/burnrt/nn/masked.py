"""Attention with masks of numbers that are added to the scores."""

from burnrt.functional.operands import operands
from burnrt.nn.layer import Layer

if False:  # for type checkers
    from typing import Any

    from burnpack.types import Shape
    from burnrt.nn.attention import MultiHeadAttention
    from burnrt.types import Calls
    from burnrt.value import Value


def masked(
    attention: "MultiHeadAttention", query: "Value", key: "Value", value: "Value", pad: "Any", attn: "Any"
) -> "tuple[Layer, list[Any]]":
    """Return a layer, and its inputs behind the query.

    pad, attn: the masks that MultiHeadAttention is given, or None; parameters and values.
    """
    given = [mask for mask in (pad, attn) if mask is not None]
    masks = operands(query, *given)[1:]
    (batch, queries, keys, _, _), _ = attention.layout(query.shape, key.shape)
    shapes: "list[Shape]" = []
    if pad is not None:
        shapes.append((keys,) if len(query.shape) == 2 else (batch, keys))
    if attn is not None:
        shapes.append((queries, keys))
    for mask, shape in zip(masks, shapes):
        if mask.shape != shape:
            attention.refuse(mask.shape, "a mask %r" % (list(shape),))
    return Masked(attention, [0 if mask is pad else 1 for mask in given]), [key, value] + masks


class Masked(Layer):
    """A MultiHeadAttention whose inputs behind the value are masks.

    kinds: 0 of one of keys alone, 1 of one of queries and keys.
    """

    def __init__(self, attention: "MultiHeadAttention", kinds: "list[int]") -> None:
        self.attention, self.kinds = attention, kinds

    def output_shape(self, shape: "Shape", *_: "Shape") -> "Shape":
        """Return the shape of the output, that of the query."""
        return shape

    def bind(self, query: "Value", key: "Value", value: "Value", *others: "Any") -> "Calls":
        """Return the calls that fill the output. others: the masks, the output, the weights or nothing."""
        count = len(self.kinds)
        keys = self.attention.layout(query.shape, key.shape)[0][2]
        masks = [
            (mask.data, 0, keys, 0) if kind else (mask.data, keys, 0, 0)
            for mask, kind in zip(others[:count], self.kinds)
        ]
        weights = others[count + 1] if len(others) > count + 1 else None
        return self.attention.bound(query, key, value, others[count], tuple(masks), weights)
