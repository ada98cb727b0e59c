"""Attention as products, a softmax, and moves of heads."""

from collections.abc import Sequence
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray

from burnpack.errors import Unsupported
from burnrt import functional as F
from burnrt import kernels
from burnrt.functional.matrices import Matmul
from burnrt.value import Value
from burnstore.graph.simple.masking import constant, known, shares_of

Shapes = Sequence[tuple[int, ...]]


class Scores(Matmul):
    """Multiply matrices, and the products by a factor. The second of each pair is turned."""

    def __init__(self, factor: float) -> None:
        super().__init__(False, True)
        self.factor = factor

    def bind(self, a: Value, b: Value, output: Value) -> Any:
        numbers = (kernels.floats([self.factor]), kernels.floats([0.0]))
        scaled = (output.data, *numbers, output.data, 1, 1, len(output.data))
        return [*super().bind(a, b, output), (kernels.affine, scaled)]


def _heads(layer: Any, inputs: tuple[Value, ...], shapes: Shapes) -> tuple[Value, ...] | None:
    """Return what a MultiHeadAttention makes, with its masks behind its inputs."""
    return _of_heads(layer, inputs[:3], [], shapes)


def _masked_heads(layer: Any, inputs: tuple[Value, ...], shapes: Shapes) -> tuple[Value, ...] | None:
    query, key, *_ = inputs
    batch, queries, keys, _, _ = layer.attention.layout(query.shape, key.shape)[0]
    kinds = [(1, 1, queries, keys) if kind else (batch, 1, 1, keys) for kind in layer.kinds]
    masks = [mask.reshape(shape) for mask, shape in zip(inputs[3:], kinds, strict=True)]
    return _of_heads(layer.attention, inputs[:3], masks, shapes)


def _of_heads(
    layer: Any, inputs: tuple[Value, ...], masks: list[Value], shapes: Shapes
) -> tuple[Value, ...] | None:
    if layer.quiet_softmax:
        return None
    query = inputs[0]
    key = inputs[1] if len(inputs) > 1 else query
    value = inputs[2] if len(inputs) > 2 else key
    (batch, queries, keys, heads, size), steps = layer.layout(query.shape, key.shape)
    is_first = steps[2] == heads * size  # the batch is, in front of the places
    order = (0, 2, 1, 3) if is_first else (1, 2, 0, 3)

    def split(whole: Value, places: int) -> Value:
        lead = (batch, places) if is_first else (places, batch)
        return F.permute(whole.reshape((*lead, heads, size)), order)

    shares, answers = _attended(
        split(layer.query(query), queries),
        split(layer.key(key), keys),
        split(layer.value(value), keys),
        1 / sqrt(size),
        masks,
    )
    back = (0, 2, 1, 3) if is_first else (2, 0, 1, 3)
    found = layer.output(F.permute(answers, back).reshape(query.shape))
    if len(shapes) == 1:
        return (found,)
    is_mean = np.prod(shapes[1]) != np.prod(shares.shape)
    return found, F.mean(shares, 1) if is_mean else shares


def _attention(layer: Any, inputs: tuple[Value, ...], shapes: Shapes) -> tuple[Value, ...]:
    """Return what `scaled_dot_product_attention` does. Queries that share keys become more rows."""
    query, key, value, *masks = inputs
    queries, keys, size = query.shape[-2], key.shape[-2], query.shape[-1]
    if layer.is_causal:
        causal = np.triu(np.full((queries, keys), -np.inf, np.float32), 1)
        masks = [constant(query, causal)]
    factor = 1 / sqrt(size) if layer.scale is None else layer.scale
    lead, shared = query.shape[:-2], 1
    if layer.enable_gqa and lead and key.shape[-3] != lead[-1]:
        shared = lead[-1] // key.shape[-3]
        query = query.reshape((*lead[:-1], key.shape[-3], shared * queries, size))
        masks = [constant(query, _shared(query, mask, shared, lead, queries, keys)) for mask in masks]
    _, answers = _attended(query, key, value, factor, masks)
    return (answers,)


def _shared(
    query: Value, mask: Value, shared: int, lead: tuple[int, ...], queries: int, keys: int
) -> NDArray[np.float32]:
    """Return a mask of heads that share keys: of their queries one after the other."""
    numbers = known(mask)
    if numbers is None:
        raise Unsupported("a mask that is computed, of heads that share keys", "scaled_dot_product_attention")
    whole = np.broadcast_to(numbers, (*lead, queries, keys))
    return whole.reshape((*lead[:-1], lead[-1] // shared, shared * queries, keys))


def _attended(
    query: Value, key: Value, value: Value, factor: float, masks: Sequence[Value]
) -> tuple[Value, Value]:
    """Return the shares of each query in the keys, and the answers."""
    shares = shares_of(query.through(Scores(factor), key), masks)
    return shares, F.matmul(shares, value)


ATTENDING = {"MultiHeadAttention": _heads, "Masked": _masked_heads, "Attention": _attention}
