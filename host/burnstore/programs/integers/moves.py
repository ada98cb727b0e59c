"""Steps that move numbers, or set them."""

from collections.abc import Iterator
from dataclasses import replace
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
        if _lies_there(step, part):
            continue
        for each in split(part):
            start, _ = each.span
            into = (place + start, 0, each.count) if apart else (place, start, operation.count)
            given, source, weight = _source(step, each)
            steps.append(Made("copy", words_of(each, given, source, *into), weight))
    return steps


def _copy(step: Step) -> Made:
    offsets, operation = step.memory.offsets, step.operation
    return Made("copy", flat_copy(offsets[operation.inputs[0]], offsets[operation.output], operation.count))


def flat_copy(given: int, place: int, count: int) -> list[int]:
    """Return the words of a copy of numbers that lie side by side."""
    return words_of(Moved(0, 0, 0, ((count, 1, 1),)), given, 0, place, 0, count)


def _lies_there(step: Step, part: Moved) -> bool:
    """Tell whether numbers lie where they are to go already, as what they stand for there."""
    given, made = (step.memory.offsets[value] for value in (_input(step, part), step.operation.output))
    is_alike = step.all_given[part.number] == step.made and part.numbers is None
    return is_alike and part.is_shared and given + part.start == made + part.to


def _source(step: Step, part: Moved) -> tuple[int, int, bytes | None]:
    """Return from where in the arena a copy's numbers are counted, SOURCE, and the weight."""
    if part.numbers is not None:
        first, last = part.reach
        numbers = np.clip(part.numbers[first : last + 1], step.operation.low, step.operation.high)
        return -first, 2, step.made.of(numbers).tobytes()
    place, given = step.memory.offsets[_input(step, part)], step.all_given[part.number]
    if given == step.made:
        return place, 0, None
    return place, 1, step.made.of(given.numbers(np.arange(256))).tobytes()


def _input(step: Step, part: Moved) -> int:
    found: int = step.operation.inputs[part.number]
    return found


def words_of(part: Moved, given: int, source: int, place: int, into: int, filled: int) -> list[int]:
    """Return the words of a copy. source, place, into, filled: SOURCE, OUTPUT, INTO, FILLED."""
    first, _ = part.reach
    dims = [_NOTHING] * (at.DIMENSIONS - len(part.dims)) + _in_order(part.dims)
    extents, steps, out_steps = zip(*dims, strict=True)
    places = [given + first, place, 0, 0, 0, source]
    return [*places, part.start - first, into, filled, *extents, *steps, *out_steps]


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


def split(part: Moved) -> Iterator[Moved]:
    """Yield copies that together do what one does of more dimensions than a step has."""
    if len(part.dims) <= at.DIMENSIONS:
        yield part
        return
    dims = sorted(part.dims)
    extent, step, out_step = dims[0]
    for index in range(extent):
        start, to = part.start + index * step, part.to + index * out_step
        yield from split(replace(part, start=start, to=to, dims=tuple(dims[1:])))


MOVES: dict[type, Maker] = {Copy: _copy, Move: _move}
