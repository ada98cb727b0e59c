"""Layers that only move numbers: what they copy, found by recording what they call."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any

from burnpack.errors import BurnpackError
from burnpack.module import Module
from burnrt.nn.copying import joined
from burnrt.trace import Step
from burnstore.graph.constants import constant, is_constant
from burnstore.graph.operations import Kept, Numbers, Operation
from burnstore.programs.recording import Call, Part, Recorder

Dimensions = Sequence[tuple[int, int, int]]


@dataclass(frozen=True)
class Moved:
    """Numbers of an input that go to places of the output.

    number: which input of the operation. start, to: where the first is in it, and where it goes. dims: of
    each dimension its extent, and from one number to the next in the input, where that may be 0 or below, and
    in the output. numbers: those that are copied from, where they are the same in each run, and no input.
    """

    number: int
    start: int
    to: int
    dims: tuple[tuple[int, int, int], ...]
    numbers: Numbers | None = None

    @property
    def count(self) -> int:
        return prod(extent for extent, _, _ in self.dims)

    @property
    def span(self) -> tuple[int, int]:
        """From the first place of the output to the one behind the last."""
        return self.to, self.to + 1 + sum((extent - 1) * step for extent, _, step in self.dims)

    @property
    def reach(self) -> tuple[int, int]:
        """The first and the last place that is read."""
        ways = [(extent - 1) * step for extent, step, _ in self.dims]
        return self.start + sum(min(way, 0) for way in ways), self.start + sum(max(way, 0) for way in ways)

    @property
    def is_shared(self) -> bool:
        """Whether the numbers lie side by side where they come from and where they go."""
        return self.dims in ((), ((self.count, 1, 1),))

    @property
    def is_one_piece(self) -> bool:
        """Whether the places that numbers go to lie side by side."""
        start, end = self.span
        return end - start == self.count


@dataclass(kw_only=True, eq=False)
class Move(Operation):
    """Copy numbers to places of the output. filled: the number that is everywhere else, None of nowhere."""

    parts: list[Moved]
    filled: float | None = None

    @property
    def constants(self) -> list[float]:
        """The ends of the range of what is no number of an input."""
        found = [] if self.filled is None else [self.filled]
        for part in self.parts:
            if part.numbers is not None:
                found += [float(part.numbers.min()), float(part.numbers.max())]
        return found


def move_of(operation: Kept) -> Move | None:
    """Return what a layer does that only moves numbers; None of another."""
    move = _of_all(operation)
    return None if move is None else _without_constants(operation.step, move)


def _without_constants(step: Step, move: Move) -> Move | None:
    """Return the operation with the numbers of its constant inputs; None where nothing else is moved.

    Inputs without numbers are left out.
    """
    inputs = [
        place for place, value in enumerate(step.inputs) if prod(value.shape) and not is_constant(value)
    ]
    if not inputs:
        return None
    places = {place: number for number, place in enumerate(inputs)}
    for at, part in enumerate(move.parts):
        numbers = None
        if part.number not in places:
            numbers = constant(step, step.inputs[part.number])
        move.parts[at] = replace(part, number=places.get(part.number, 0), numbers=numbers)
    move.inputs = tuple(move.inputs[place] for place in inputs)
    return move


def _of_all(operation: Kept) -> Move | None:
    step = operation.step
    if not operation.count or operation.besides:
        return None
    recorder = Recorder(Module(), [])
    numbers = (*operation.inputs, operation.output)
    values = [
        recorder.value(number, traced.shape)
        for number, traced in zip(numbers, (*step.inputs, step.output), strict=True)
    ]
    try:
        with recorder.recording():
            calls = recorder.calls(operation.name, step.layer, values).calls
    except BurnpackError:
        return None
    return _move(operation, calls)


def _move(operation: Kept, calls: list[Call]) -> Move | None:
    filled, parts = None, []
    for place, call in enumerate(calls):
        if call.kernel == "fill":
            out, start, count, value = call.arguments
            if place or out.buffer.value != operation.output or (start, count) != (0, operation.count):
                return None
            filled = value
        elif call.kernel in _COPIES and _is_from(operation, call):
            number = operation.inputs.index(call.arguments[0].buffer.value)
            found = _COPIES[call.kernel](number, *call.arguments)
            if found is None:
                return None
            parts += found
        else:
            return None
    parts = [part for part in parts if part.count]
    if not parts:
        return None
    return Move(**operation.common, parts=parts, filled=filled)


def _is_from(operation: Kept, call: Call) -> bool:
    """Tell whether a call copies from an input to the output."""
    *given, made = [argument.buffer.value for argument in call.arguments if isinstance(argument, Part)]
    return made == operation.output and all(value in operation.inputs for value in given)


def _moved(number: int, x: Part, start: int, out: Part, to: int, dims: Dimensions) -> Moved:
    return Moved(number, x.start + start, out.start + to, tuple(joined(dims)))


def _strided(
    number: int, x: Part, start: int, steps: Any, out: Part, to: int, out_steps: Any, extents: Any, size: int
) -> list[Moved]:
    return [_moved(number, x, start, out, to, [*zip(extents, steps, out_steps, strict=True), (size, 1, 1)])]


def _rows(
    number: int, x: Part, start: int, step: int, out: Part, to: int, out_step: int, rows: int, size: int
) -> list[Moved]:
    return _strided(number, x, start, (step,), out, to, (out_step,), (rows,), size)


def _selected(
    number: int, x: Part, out: Part, outer: int, size: int, inner: int, indices: Sequence[int]
) -> list[Moved]:
    count = len(indices)
    return [
        _moved(
            number,
            x,
            first * inner,
            out,
            place * inner,
            [(outer, size * inner, count * inner), (length, step * inner, inner), (inner, 1, 1)],
        )
        for place, first, length, step in _runs(indices)
    ]


def _nearest(
    number: int, x: Part, shape: Sequence[int], out: Part, out_shape: Sequence[int], rows: Any, columns: Any
) -> list[Moved] | None:
    """Return what is copied where planes are made of the nearest numbers; None where of some in between."""
    if any(before != after or more for before, after, more in (*rows, *columns)):
        return None
    (height, width), (out_height, out_width) = shape[2:], out_shape[2:]
    planes = (shape[0] * shape[1], height * width, out_height * out_width)
    return [
        _moved(
            number,
            x,
            first * width + left,
            out,
            place * out_width + beside,
            [planes, (down, by * width, out_width), (across, step, 1)],
        )
        for place, first, down, by in _runs([row for row, _, _ in rows])
        for beside, left, across, step in _runs([column for column, _, _ in columns])
    ]


def _runs(indices: Sequence[int]) -> Iterator[tuple[int, int, int, int]]:
    """Yield runs of indices that are the same steps apart: (place, first index, how many, step)."""
    place = 0
    while place < len(indices):
        step = indices[place + 1] - indices[place] if place + 1 < len(indices) else 1
        end = place + 1
        while end < len(indices) and indices[end] - indices[end - 1] == step:
            end += 1
        yield place, indices[place], end - place, step
        place = end


_COPIES: dict[str, Any] = {
    "copy_strided": _strided,
    "copy_rows": _rows,
    "index_select": _selected,
    "resample2d": _nearest,
}
