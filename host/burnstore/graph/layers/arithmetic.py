"""Sums, differences, products and quotients, of values and of constants."""

from collections.abc import Callable
from typing import Any

import numpy as np

from burnrt.functional.broadcasting import channels_of, joined, steps_of
from burnrt.trace import Step, Traced
from burnstore.graph.constants import constant, is_constant
from burnstore.graph.following import Maker
from burnstore.graph.layers.each import of_one
from burnstore.graph.layers.step import unsupported
from burnstore.graph.operations import Add, Lookup, Numbers, Operation, Product, Scale, Steps, Sum

_DIMENSIONS = 3  # that a kernel goes through

Factors = tuple[float, float]


def _add(step: Step, layer: Any, common: Any) -> Operation:
    return _sum(step, common, (1.0, 1.0))


def _subtract(step: Step, layer: Any, common: Any) -> Operation:
    return _sum(step, common, (1.0, -1.0))


def _sum(step: Step, common: Any, factors: Factors) -> Operation:
    """Return first × factors[0] + second × factors[1]."""
    first, second = step.inputs
    if is_constant(first):
        return _with_constant(step, common, second, first, lambda numbers: (factors[1], factors[0] * numbers))
    if is_constant(second):
        return _with_constant(step, common, first, second, lambda numbers: (factors[0], factors[1] * numbers))
    if first.shape == second.shape:
        return Add(**common, factors=factors)
    extents, steps, turned = _laid(step, first, second)
    if turned:
        common["inputs"], factors = common["inputs"][::-1], factors[::-1]
    return Sum(**common, extents=extents, steps=steps, factors=factors)


def _multiply(step: Step, layer: Any, common: Any) -> Operation:
    first, second = step.inputs
    if is_constant(first) or is_constant(second):
        value, kept = (second, first) if is_constant(first) else (first, second)
        return _with_constant(step, common, value, kept, lambda numbers: (numbers, 0.0))
    if first.number == second.number and first.shape == second.shape:
        return Lookup(**common | {"inputs": common["inputs"][:1]}, function=np.square)
    extents, steps, turned = _laid(step, first, second)
    if turned:
        common["inputs"] = common["inputs"][::-1]
    return Product(**common, extents=extents, steps=steps)


def _divide(step: Step, layer: Any, common: Any) -> Operation:
    first, second = step.inputs
    if is_constant(second) and constant(step, second).all():
        return _with_constant(step, common, first, second, lambda numbers: (1 / numbers, 0.0))
    return of_one(step, layer, common)


def _affine(step: Step, layer: Any, common: Any) -> Operation:
    return _scale(common, (1, common["count"]), layer.factor, layer.shift, 1)


def _with_constant(
    step: Step, common: Any, value: Traced, kept: Traced, line: Callable[[Numbers], tuple[Any, Any]]
) -> Operation:
    """Return value × factor + shift, of which `line` makes one out of the constant's numbers."""
    factor, shift = line(constant(step, kept))
    common["inputs"] = (value.number,)
    rank = len(step.output.shape)
    extents, steps = joined(step.output.shape, steps_of(value.shape, rank), steps_of(kept.shape, rank))
    channels = channels_of(extents, steps[1])
    if common["count"] == np.prod(value.shape) and channels and channels[0] == 1:
        return _scale(common, channels[1:], factor, shift, channels[1])
    found, laid, turned = _laid(step, value, kept)
    assert not turned  # such a value was expanded
    if np.ndim(factor):
        return Product(**common, extents=found, steps=laid, kept=np.asarray(factor))
    return Sum(**common, extents=found, steps=laid, kept=np.asarray(shift), factors=(factor, 1.0))


def _scale(common: Any, plane: Any, factor: Any, shift: Any, channels: int) -> Operation:
    factors, shifts = (np.broadcast_to(np.float64(each), (channels,)) for each in (factor, shift))
    return Scale(**common, plane=(1, plane[1]), factor=factors, shift=shifts)


def _laid(step: Step, first: Traced, second: Traced) -> tuple[Steps, tuple[Steps, Steps], bool]:
    """Return extents and steps of two operands, and whether the second must be the first."""
    shape = step.output.shape
    steps = [steps_of(value.shape, len(shape)) for value in (first, second)]
    extents, found = joined(shape, *steps)
    if len(extents) > _DIMENSIONS:
        shapes = f"{list(first.shape)} and {list(second.shape)}"
        raise unsupported(step, f"{shapes} are broadcast in more ways than integers have")
    turned = bool(found[1][-1]) and not found[0][-1]
    rows = [(0,) * (_DIMENSIONS - len(extents)) + row for row in (found[::-1] if turned else found)]
    rows[0] = (*rows[0][:-1], 1)
    planes, lines, along = (1,) * (_DIMENSIONS - len(extents)) + extents
    return (planes, lines, along), ((*rows[0],), (*rows[1],)), turned  # type: ignore[return-value] # of three


ARITHMETIC: dict[str, Maker] = {
    "Add": _add,
    "BroadcastAdd": _add,
    "Subtract": _subtract,
    "Multiply": _multiply,
    "Divide": _divide,
    "Affine": _affine,
}
