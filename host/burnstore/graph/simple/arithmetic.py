"""Quotients, choices, extremes of two values, smallest numbers and variances, of what integers have."""

from collections.abc import Sequence
from math import prod
from typing import Any

from burnrt import functional as F
from burnrt.functional.broadcasting import joined, steps_of
from burnrt.functional.reducing import Amax
from burnrt.trace import Traced
from burnrt.value import Value
from burnstore.graph.constants import is_constant
from burnstore.graph.simple.masking import known
from burnstore.graph.simple.unit import of_length_one

Shapes = Sequence[tuple[int, ...]]
Simpler = tuple[Value, ...] | None


def _is_constant(value: Value) -> bool:
    return isinstance(value, Traced) and is_constant(value)


def _are_many(inputs: Sequence[Value]) -> bool:
    """Tell whether a table can't replace a layer: it takes several values, or rows of constants."""
    computed = {getattr(value, "number", None) for value in inputs if not _is_constant(value)}
    shapes = {value.shape for value in inputs if not _is_constant(value)}
    return max(len(computed), len(shapes)) > 1 or any(
        _is_constant(value) and prod(value.shape) > 1 for value in inputs
    )


def _repeated(layer: Any, inputs: tuple[Value, ...], shapes: Shapes) -> Simpler:
    """Return the same of an expanded value, where a row of constants is beside each of its numbers."""
    if len(inputs) != 2 or _is_constant(inputs[0]) == _is_constant(inputs[1]):
        return None
    (shape,) = shapes
    (value,) = (each for each in inputs if not _is_constant(each))
    (kept,) = (each for each in inputs if _is_constant(each))
    steps = [steps_of(each.shape, len(shape)) for each in (value, kept)]
    extents, (of_value, of_kept) = joined(shape, *steps)
    if not extents or of_value[-1] or not of_kept[-1]:
        return None
    first, second = (F.expand(each, shape) if each is value else each for each in inputs)
    return (first.through(layer, second),)


def _divide(layer: Any, inputs: tuple[Value, ...], shapes: Shapes) -> Simpler:
    """Return a product with reciprocals, which are looked up."""
    first, second = inputs
    if _is_constant(second):
        return _repeated(layer, inputs, shapes)
    if _is_constant(first) and prod(first.shape) == 1:
        return None
    found = of_length_one(first, second)
    return (F.mul(first, F.reciprocal(second)) if found is None else found,)


def _where(layer: Any, inputs: tuple[Value, ...], shapes: Shapes) -> Simpler:
    """Return the third, and how far the second is from it where the condition is 1."""
    condition, first, second = inputs
    chosen = known(condition)
    if chosen is not None and not chosen.any() and second.shape == shapes[0]:
        return (second,)
    if not _are_many(inputs) or (_is_constant(first) and _is_constant(second)):
        return None
    return (F.add(F.mul(F.sub(first, second), condition), second),)


def _maximum(layer: Any, inputs: tuple[Value, ...], shapes: Shapes) -> Simpler:
    """Return the second, and what the first is above it."""
    first, second = inputs
    return (F.add(second, F.relu(F.sub(first, second))),) if _are_many(inputs) else None


def _minimum(layer: Any, inputs: tuple[Value, ...], shapes: Shapes) -> Simpler:
    """Return the first, less what it is above the second."""
    first, second = inputs
    return (F.sub(first, F.relu(F.sub(first, second))),) if _are_many(inputs) else None


def _smallest(layer: Any, inputs: tuple[Value, ...], shapes: Shapes) -> Simpler:
    return (F.neg(Amax()(F.neg(inputs[0]))),)


def _variance(layer: Any, inputs: tuple[Value, ...], shapes: Shapes) -> Simpler:
    """Return the mean of the squares of distances from the mean."""
    squares = F.square(F.sub(inputs[0], F.mean(inputs[0], 1, True)))
    return (F.mul(F.mean(squares, 1), inputs[0].shape[1] / layer.divisor),)


ARITHMETIC = {
    "Add": _repeated,
    "BroadcastAdd": _repeated,
    "Subtract": _repeated,
    "Multiply": _repeated,
    "Divide": _divide,
    "Where": _where,
    "Maximum": _maximum,
    "Minimum": _minimum,
    "Amin": _smallest,
    "Variance": _variance,
}
