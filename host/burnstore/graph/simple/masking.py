"""Masks that are added to scores, so that a softmax counts only what they show."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from burnpack.dtype import count
from burnrt import functional as F
from burnrt import kernels
from burnrt.nn.layer import Layer
from burnrt.nn.softmax import Softmax
from burnrt.trace import Traced
from burnrt.value import Value
from burnstore.graph.constants import is_constant, numbers_of
from burnstore.graph.following import kind_of, maker

Truths = NDArray[np.bool_]
Shapes = Sequence[tuple[int, ...]]

_HIDDEN = -1000.0  # what is added to a score that is to count for nothing: e^-100 is less than a float tells
_SUMS = ("Add", "BroadcastAdd")


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


def softmax(value: Value) -> Value:
    """Return the softmax of rows."""
    found: Value = Softmax(-1)(value)
    return found


def shares_of(scores: Value, masks: Sequence[Value]) -> Value:
    """Return the softmax of rows of scores, to which masks are added."""
    shown = np.ones((1, scores.shape[-1]), np.bool_)
    for mask in masks:
        numbers = known(mask)
        if numbers is None:
            scores = F.add(scores, mask)
            continue
        hidden = numbers < _HIDDEN
        shown = _both(shown, ~hidden, scores.shape)
        rest = np.where(hidden, np.float32(0), numbers)
        if rest.any():
            scores = F.add(scores, constant(scores, rest))
    return softmax(scores) if shown.all() else scores.through(MaskedSoftmax(shown))


def unmasked(value: Value) -> tuple[Value, Value] | None:
    """Return scores, and the mask whose sum a value is; None where nothing is hidden by one."""
    step = maker(value) if isinstance(value, Traced) else None
    if step is None or kind_of(step.layer) not in _SUMS:
        return None
    masks = [given for given in step.inputs if is_constant(given)]
    scores = [given for given in step.inputs if not is_constant(given)]
    shape = step.output.shape
    if len(scores) != 1 or count(scores[0].shape) != count(shape) or shape[-1:] != value.shape[-1:]:
        return None
    numbers = known(masks[0])
    return None if numbers is None or (numbers >= _HIDDEN).all() else (scores[0].reshape(shape), masks[0])


def _compare(layer: Any, inputs: tuple[Value, ...], shapes: Shapes) -> tuple[Value, ...] | None:
    """Return how numbers compare with an infinite one, as only those are that a mask hides."""
    value, other = inputs
    infinite = known(other)
    if infinite is None or known(value) is not None or not np.isinf(infinite).all():
        return None
    found = unmasked(value)
    mask = None if found is None else known(found[1])
    numbers = np.zeros(1, np.float32)
    if found is not None and mask is not None:
        numbers = np.broadcast_to(mask, found[0].shape).reshape(value.shape)
    less, equal, greater, _ = layer.answers
    answers = np.where(numbers < infinite, less, np.where(numbers == infinite, equal, greater))
    return (constant(value, np.broadcast_to(answers.astype(np.float32), shapes[0])),)


def _both(shown: Truths, more: Truths, shape: tuple[int, ...]) -> Truths:
    """Return what two masks show; rows for all of a shape, unless only the last two dimensions differ."""
    if max((1, *more.shape[:-2])) > 1:
        more = np.broadcast_to(more, shape)
    more = more.reshape(-1, shape[-1])
    return shown & more if len(shown) <= len(more) else shown & np.tile(more, (len(shown) // len(more), 1))


def known(value: Any) -> NDArray[np.float32] | None:
    """Return the numbers of a value that is the same in each pass; None of another."""
    if not isinstance(value, Traced) or not is_constant(value):
        return None
    return numbers_of(value.graph.constants[value.number]).reshape(value.shape)


def constant(beside: Any, numbers: NDArray[np.float32]) -> Value:
    made: Value = beside.graph.constant(
        Value(kernels.floats(numbers.reshape(-1)), numbers.shape), numbers.shape
    )
    return made


MASKING = {"Compare": _compare}
