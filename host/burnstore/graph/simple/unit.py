"""Rows divided by their lengths, as `functional.normalize` makes them: found by how they are computed.

The reciprocal of a length may be any number, so that a byte tells little of it; integers have a kernel for
the whole.
"""

from collections.abc import Iterator
from math import inf, prod, sqrt
from typing import Any

from burnrt import functional as F
from burnrt.nn.norm import RmsNorm
from burnrt.trace import Step, Traced
from burnrt.value import Value
from burnstore.graph.following import kind_of, maker

Shape = tuple[int, ...]

_LEAST = 1e-4  # a length that is taken for 0: what is shorter may come out as long as others, or as 0


def of_length_one(value: Value, length: Value) -> Value | None:
    """Return a value divided by the lengths of its rows; None where `length` is something else."""
    if not (isinstance(value, Traced) and isinstance(length, Traced)):
        return None
    total = _summed(length)
    squares = None if total is None else maker(total.inputs[0])
    if total is None or squares is None or kind_of(squares.layer) != "Multiply":
        return None
    if any(given.number != value.number for given in squares.inputs):
        return None
    before, along, behind = total.inputs[0].shape
    shapes = [shape for step in _spread(length) for shape in (step.inputs[0].shape, step.output.shape)]
    allowed = [_kept(value.shape), *_lengths(value.shape, before, along, behind)]
    if not all(_kept(shape) in allowed for shape in (length.shape, *shapes)):
        return None
    rows = F.permute(value.reshape((before, along, behind)), (0, 2, 1))
    found = F.mul(RmsNorm(along, 1e-30, False)(rows), 1 / sqrt(along))
    return F.permute(found, (0, 2, 1)).reshape(value.shape)


def _summed(length: Traced) -> Step | None:
    """Return the step whose sums the lengths are the roots of."""
    step = maker(length)
    while step is not None and (kind_of(step.layer) == "Expand" or _is_least(step.layer)):
        step = maker(step.inputs[0])
    if step is None or kind_of(step.layer) != "Sqrt":
        return None
    step = maker(step.inputs[0])
    return step if step is not None and kind_of(step.layer) == "Sum" else None


def _spread(length: Traced) -> Iterator[Step]:
    """Yield the steps that expand the lengths."""
    step = maker(length)
    while step is not None and (kind_of(step.layer) == "Expand" or _is_least(step.layer)):
        if kind_of(step.layer) == "Expand":
            yield step
        step = maker(step.inputs[0])


def _is_least(layer: Any) -> bool:
    return kind_of(layer) == "Clamp" and 0 <= layer.low <= _LEAST and layer.high == inf


def _lengths(shape: Shape, before: int, along: int, behind: int) -> list[Shape]:
    """Return what shapes lengths can have, one for each row, so that they are broadcast to the value."""
    parts = (before, along, behind)
    return [
        _kept((*shape[:start], *(1,) * (end - start), *shape[end:]))
        for end in range(len(shape) + 1)
        for start in range(end + 1)
        if (prod(shape[:start]), prod(shape[start:end]), prod(shape[end:])) == parts
    ]


def _kept(shape: Shape) -> Shape:
    """Return a shape without the ones that it begins with."""
    start = 0
    while start < len(shape) and shape[start] == 1:
        start += 1
    return shape[start:]
