"""Quotients, extremes of two values, smallest numbers and variances, as what integers have kernels for."""

from collections.abc import Sequence
from typing import Any

from burnrt import functional as F
from burnrt.functional.reducing import Amax
from burnrt.trace import Traced
from burnrt.value import Value
from burnstore.graph.constants import is_constant

Shapes = Sequence[tuple[int, ...]]
Simpler = tuple[Value, ...] | None


def _are_computed(inputs: tuple[Value, ...]) -> bool:
    return not any(isinstance(value, Traced) and is_constant(value) for value in inputs)


def _divide(layer: Any, inputs: tuple[Value, ...], shapes: Shapes) -> Simpler:
    """Return a product with reciprocals, which are looked up."""
    return (F.mul(inputs[0], F.reciprocal(inputs[1])),) if _are_computed(inputs) else None


def _maximum(layer: Any, inputs: tuple[Value, ...], shapes: Shapes) -> Simpler:
    """Return the second, and what the first is above it."""
    first, second = inputs
    return (F.add(second, F.relu(F.sub(first, second))),) if _are_computed(inputs) else None


def _minimum(layer: Any, inputs: tuple[Value, ...], shapes: Shapes) -> Simpler:
    """Return the first, less what it is above the second."""
    first, second = inputs
    return (F.sub(first, F.relu(F.sub(first, second))),) if _are_computed(inputs) else None


def _smallest(layer: Any, inputs: tuple[Value, ...], shapes: Shapes) -> Simpler:
    return (F.neg(Amax()(F.neg(inputs[0]))),)


def _variance(layer: Any, inputs: tuple[Value, ...], shapes: Shapes) -> Simpler:
    """Return the mean of the squares of distances from the mean."""
    squares = F.square(F.sub(inputs[0], F.mean(inputs[0], 1, True)))
    return (F.mul(F.mean(squares, 1), inputs[0].shape[1] / layer.divisor),)


ARITHMETIC = {
    "Divide": _divide,
    "Maximum": _maximum,
    "Minimum": _minimum,
    "Amin": _smallest,
    "Variance": _variance,
}
