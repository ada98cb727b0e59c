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
from burnrt.nn.layer import Layer
from burnrt.value import Value
from burnstore.graph.constants import is_constant, numbers_of
from burnstore.graph.simple.along import softmax

Truths = NDArray[np.bool_]
Shapes = Sequence[tuple[int, ...]]

_HIDDEN = -1000.0  # what is added to a score that is to count for nothing: e^-100 is less than a float tells


class Scores(Matmul):
    """Multiply matrices, and the products by a factor. The second of each pair is turned."""

    def __init__(self, factor: float) -> None:
        super().__init__(False, True)
        self.factor = factor

    def bind(self, a: Value, b: Value, output: Value) -> Any:
        numbers = (kernels.floats([self.factor]), kernels.floats([0.0]))
        scaled = (output.data, *numbers, output.data, 1, 1, len(output.data))
        return [*super().bind(a, b, output), (kernels.affine, scaled)]


class MaskedSoftmax(Layer):
    """Take the softmax of what a mask shows of each row; what it hides becomes 0.

    shown: (rows, numbers of a row). The input's rows take these in turn.
    """

    def __init__(self, shown: Truths) -> None:
        self.shown = shown

    def run(self, input: Value, output: Value) -> None:
        rows = np.asarray(input.data).reshape(-1, *self.shown.shape)
        rows = np.where(self.shown, rows, -np.inf)
        largest = rows.max(-1, keepdims=True)
        powers = np.exp(rows - np.where(np.isfinite(largest), largest, 0))
        sums = powers.sum(-1, keepdims=True)
        np.asarray(output.data)[:] = (powers / np.where(sums, sums, 1)).reshape(-1)


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
        masks = [_constant(query, causal)]
    factor = 1 / sqrt(size) if layer.scale is None else layer.scale
    lead, shared = query.shape[:-2], 1
    if layer.enable_gqa and lead and key.shape[-3] != lead[-1]:
        shared = lead[-1] // key.shape[-3]
        query = query.reshape((*lead[:-1], key.shape[-3], shared * queries, size))
        masks = [_constant(query, _shared(query, mask, shared, lead, queries, keys)) for mask in masks]
    _, answers = _attended(query, key, value, factor, masks)
    return (answers,)


def _shared(
    query: Value, mask: Value, shared: int, lead: tuple[int, ...], queries: int, keys: int
) -> NDArray[np.float32]:
    """Return a mask of heads that share keys: of their queries one after the other."""
    numbers = _known(mask)
    if numbers is None:
        raise Unsupported("a mask that is computed, of heads that share keys", "scaled_dot_product_attention")
    whole = np.broadcast_to(numbers, (*lead, queries, keys))
    return whole.reshape((*lead[:-1], lead[-1] // shared, shared * queries, keys))


def _attended(
    query: Value, key: Value, value: Value, factor: float, masks: Sequence[Value]
) -> tuple[Value, Value]:
    """Return the shares of each query in the keys, and the answers."""
    scores = query.through(Scores(factor), key)
    shown = np.ones((1, scores.shape[-1]), np.bool_)
    for mask in masks:
        numbers = _known(mask)
        if numbers is None:
            scores = F.add(scores, mask)
            continue
        hidden = numbers < _HIDDEN
        shown = _both(shown, ~hidden, scores.shape)
        rest = np.where(hidden, np.float32(0), numbers)
        if rest.any():
            scores = F.add(scores, _constant(query, rest))
    shares = softmax(scores) if shown.all() else scores.through(MaskedSoftmax(shown))
    return shares, F.matmul(shares, value)


def _both(shown: Truths, more: Truths, shape: tuple[int, ...]) -> Truths:
    """Return what two masks show; rows for all of a shape, unless only the last two dimensions differ."""
    if max((1, *more.shape[:-2])) > 1:
        more = np.broadcast_to(more, shape)
    more = more.reshape(-1, shape[-1])
    return shown & more if len(shown) <= len(more) else shown & np.tile(more, (len(shown) // len(more), 1))


def _known(value: Any) -> NDArray[np.float32] | None:
    """Return the numbers of a value that is the same in each pass; None of another."""
    if not is_constant(value):
        return None
    return numbers_of(value.graph.constants[value.number]).reshape(value.shape)


def _constant(beside: Any, numbers: NDArray[np.float32]) -> Value:
    made: Value = beside.graph.constant(
        Value(kernels.floats(numbers.reshape(-1)), numbers.shape), numbers.shape
    )
    return made


ATTENDING = {"MultiHeadAttention": _heads, "Masked": _masked_heads, "Attention": _attention}
