"""Steps that move numbers, or set them."""

from collections.abc import Iterator
from math import prod

import numpy as np

from burnrt import words as at
from burnstore.graph.moves import Move, Moved
from burnstore.graph.operations import Copy
from burnstore.programs.integers.step import Made, Maker, Step

_Dimension = tuple[int, int, int]
_NOTHING: _Dimension = (1, 0, 1)  # one number, along a dimension
# What machine code takes for a row, and for a number of rows that lie in one piece, and of others.
_ROW, _NEAR, _FAR = 25, 1, 4


def _move(step: Step) -> list[Made]:
    operation: Move = step.operation
    place = step.memory.offsets[operation.output]
    steps = []
    if operation.filled is not None:
        number = int(step.made.of(np.clip(operation.filled, operation.low, operation.high)))
        steps.append(Made("fill", [0, place, 0, 0, 0, 0, operation.count, number]))
    # Several may fill one place, or each its own: what is filled already is filled as a whole.
    apart = not steps and all(part.is_one_piece for part in operation.parts)
    for part in operation.parts:
        given = step.all_given[part.number]
        table = None if given == step.made else step.made.of(given.numbers(np.arange(256))).tobytes()
        source = step.memory.offsets[operation.inputs[part.number]]
        if table is None and part.is_shared and source + part.start == place + part.to:
            continue  # it lies there already
        for each in _split(part):
            start, _ = each.span
            into = (place + start, 0, each.count) if apart else (place, start, operation.count)
            words = words_of(each, source, table is not None, *into)
            steps.append(Made("copy", words, table))
    return steps


def _copy(step: Step) -> Made:
    offsets, operation = step.memory.offsets, step.operation
    return Made("copy", flat_copy(offsets[operation.inputs[0]], offsets[operation.output], operation.count))


def flat_copy(given: int, place: int, count: int) -> list[int]:
    """Return the words of a copy of numbers that lie side by side."""
    return words_of(Moved(0, 0, 0, ((count, 1, 1),)), given, False, place, 0, count)


def words_of(part: Moved, given: int, by_table: bool, place: int, into: int, filled: int) -> list[int]:
    """Return the words of a copy. place, into, filled: OUTPUT, INTO, FILLED."""
    low = sum((extent - 1) * min(step, 0) for extent, step, _ in part.dims)
    dims = [_NOTHING] * (at.DIMENSIONS - len(part.dims)) + _in_order(part.dims)
    extents, steps, out_steps = zip(*dims, strict=True)
    first = [given + part.start + low, place, 0, 0, 0, int(by_table)]
    return [*first, -low, into, filled, *extents, *steps, *out_steps]


def _in_order(dims: tuple[_Dimension, ...]) -> list[_Dimension]:
    """Return the dimensions, that one the innermost with which the fewest instructions are needed."""
    count = prod(extent for extent, _, _ in dims)

    def cost(dim: _Dimension) -> int:
        each = _NEAR if dim[1:] == (1, 1) else _FAR
        return count // dim[0] * _ROW + count * each

    last = min(dims, key=cost, default=_NOTHING)
    rest = list(dims)
    if rest:
        rest.remove(last)
    return [*sorted(rest), last] if dims else []


def _split(part: Moved) -> Iterator[Moved]:
    """Yield copies that together do what one does of more dimensions than a step has."""
    if len(part.dims) <= at.DIMENSIONS:
        yield part
        return
    dims = sorted(part.dims)
    extent, step, out_step = dims[0]
    for index in range(extent):
        start, to = part.start + index * step, part.to + index * out_step
        yield from _split(Moved(part.number, start, to, tuple(dims[1:])))


MOVES: dict[type, Maker] = {Copy: _copy, Move: _move}
