"""Where each value lies in the arena, and what is overwritten when."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import NamedTuple

import numpy as np

from burnstore.graph.moves import Move
from burnstore.graph.network import Network
from burnstore.graph.operations import Operation
from burnstore.graph.placing import placed_within


class Memory(NamedTuple):
    """offsets: of each value, by its number. work: of what an operation works in besides, by its output.
    size: of all. taken: what else is in use while an operation runs, (start, end) each, by its output.
    """

    offsets: dict[int, int]
    work: dict[int, list[int]]
    size: int
    taken: dict[int, list[tuple[int, int]]]

    def largest_free(self, value: int, most: int) -> tuple[int, int]:
        """Return (start, size) of the largest piece that is free while a value is made, before `most`."""
        end, found = 0, (0, 0)
        for begin, behind in [*sorted(self.taken[value]), (most, most)]:
            found = max(found, (end, begin - end), key=lambda piece: piece[1])
            end = max(end, behind)
        return found


class Inside(NamedTuple):
    """Where a value lies that is a part of another. whole: the other. start: from where that begins."""

    whole: int
    start: int


class _Buffers:
    """Places in the arena, each with its size and the first and last step that need it.

    fixed: where the first ones lie already.
    """

    def __init__(self) -> None:
        self.fixed: list[int] = []
        self.sizes: list[int] = []
        self.births: list[int] = []
        self.deaths: list[int] = []

    def add(self, size: int, birth: int, death: int) -> int:
        """Return the number of a new buffer."""
        self.sizes.append(size)
        self.births.append(birth)
        self.deaths.append(death)
        return len(self.sizes) - 1


def lay_out(
    network: Network,
    in_place: Callable[[Operation], bool],
    work: Mapping[int, Sequence[int]],
    alignment: int = 1,
    inside: Mapping[int, Inside] | None = None,
    sizes: Mapping[int, int] | None = None,
    most: int | None = None,
    rounds: int = 0,
) -> Memory:
    """Return the places of the inputs and states, of all that operations make, and of what they work in.

    A state has its place to itself through the whole run. What it becomes is made there where that is safe;
    what lies elsewhere must be copied there at the end.

    in_place: whether an operation may write where it reads a value of its output's size. work: sizes, by the
    operation's output. All sizes and places are in one unit, in which a number of a value takes 1; places are
    multiples of `alignment`. inside: of values that are parts of others, where in these they lie.
    sizes: of values, in that unit, where it is not how many numbers they hold.
    most, rounds: the size for which it is worth to try, and how long. Then parts of an input are free as soon
    as no copy reads them any more.
    """
    inside = inside or {}
    by_parts = None if most is None else _read_by_parts(network, inside)
    buffers, holds, working = _lives(network, in_place, work, alignment, inside, by_parts, sizes)
    lives = buffers.sizes, buffers.births, buffers.deaths
    offsets, size = placed_within(*lives, alignment, buffers.fixed, most, rounds)
    return Memory(
        {value: offsets[buffer] + _whole(inside, value)[1] for value, buffer in holds.items()},
        {value: [offsets[buffer] for buffer in found] for value, found in working.items()},
        size,
        _taken(network, buffers, offsets, working, alignment),
    )


def _taken(
    network: Network,
    buffers: _Buffers,
    offsets: Sequence[int],
    working: Mapping[int, Sequence[int]],
    alignment: int,
) -> dict[int, list[tuple[int, int]]]:
    """Return what is in use while each operation runs, but what it works in."""
    outputs = [operation.output for operation in network.operations]
    found: dict[int, list[tuple[int, int]]] = {output: [] for output in outputs}
    for each, (birth, death) in enumerate(zip(buffers.births, buffers.deaths, strict=True)):
        place = offsets[each], offsets[each] + -(-buffers.sizes[each] // alignment) * alignment
        for output in outputs[birth : death + 1]:
            if each not in working[output]:
                found[output].append(place)
    return found


def size_within(
    network: Network,
    in_place: Callable[[Operation], bool],
    work: Mapping[int, Sequence[int]],
    alignment: int,
    steps: range,
    most: int,
) -> int:
    """Return the size of all that some steps need, where values that meet none of them need no place.

    most: as in `lay_out`.
    """
    buffers, _, _ = _lives(network, in_place, work, alignment, {}, _read_by_parts(network, {}))
    met = [
        number
        for number, (birth, death) in enumerate(zip(buffers.births, buffers.deaths, strict=True))
        if birth < steps.stop and death >= steps.start
    ]
    fixed = [buffers.fixed[number] for number in met if number < len(buffers.fixed)]
    sizes, births, deaths = (
        [values[number] for number in met] for values in (buffers.sizes, buffers.births, buffers.deaths)
    )
    return placed_within(sizes, births, deaths, alignment, fixed, most)[1]


def alive(
    network: Network,
    in_place: Callable[[Operation], bool],
    work: Mapping[int, Sequence[int]],
    alignment: int = 1,
) -> list[int]:
    """Return how much is needed at one time at each step: no arena can be smaller than the most of it."""
    buffers, _, _ = _lives(network, in_place, work, alignment, {}, _read_by_parts(network, {}))
    more = np.zeros(len(network.operations) + 2, np.int64)
    for size, birth, death in zip(buffers.sizes, buffers.births, buffers.deaths, strict=True):
        whole = -(-size // alignment) * alignment
        more[birth] += whole
        more[death + 1] -= whole
    found: list[int] = np.cumsum(more)[: len(network.operations)].tolist()
    return found


def _lives(
    network: Network,
    in_place: Callable[[Operation], bool],
    work: Mapping[int, Sequence[int]],
    alignment: int,
    inside: Mapping[int, Inside],
    by_parts: int | None,
    sizes: Mapping[int, int] | None = None,
) -> tuple[_Buffers, dict[int, int], dict[int, list[int]]]:
    """Return the buffers, which of them each value is in, and those that each operation works in.

    by_parts: an input that is in several. sizes: as in `lay_out`.
    """
    of_values = network.sizes if sizes is None else sizes
    last = _last_uses(network)
    over = _over_states(network, in_place, last)
    last.update((state.given.value, len(network.operations)) for state in network.states)
    buffers, holds = _Buffers(), dict[int, int]()
    shared = {*inside, *(whole for whole, _ in inside.values())}
    if by_parts is not None:
        holds[by_parts] = 0
        for start, size, death in _pieces(network, by_parts, alignment):
            buffers.fixed.append(start)
            buffers.add(size, 0, death)
    for end in network.given:
        if end.value != by_parts:
            holds[end.value] = buffers.add(of_values[end.value], 0, last[end.value])
    holds.update((value, holds[state]) for value, state in over.items())
    working = {}
    for index, operation in enumerate(network.operations):
        may_be = in_place(operation) and operation.output not in over and operation.output not in shared
        ended = _ended(network, operation, index, last, shared) if may_be else None
        if ended is not None:
            holds[operation.output] = holds[ended]
            buffers.deaths[holds[ended]] = last[operation.output]
        for value in operation.outputs:
            if value is None:
                continue
            if value not in holds:
                whole, _ = _whole(inside, value)
                if whole not in holds:
                    holds[whole] = buffers.add(of_values[whole], index, index)
                holds[value] = holds[whole]
            deaths = buffers.deaths
            deaths[holds[value]] = max(deaths[holds[value]], last[value])
        works = work.get(operation.output, ())
        working[operation.output] = [buffers.add(size, index, index) for size in works]
    return buffers, holds, working


def _read_by_parts(network: Network, inside: Mapping[int, Inside]) -> int | None:
    """Return an input of which only copies are read, and by several steps: what was read last is free."""
    shared = {*inside, *(whole for whole, _ in inside.values())}
    for end in network.inputs:
        readers = network.readers(end.value)
        by_parts = len(readers) > 1 and all(isinstance(each, Move) for each in readers)
        left = network.is_output(end.value) or any(state.next == end.value for state in network.states)
        if by_parts and not left and end.value not in shared:
            return end.value
    return None


def _pieces(network: Network, value: int, alignment: int) -> Iterator[tuple[int, int, int]]:
    """Yield (start, size, the last step that needs it) of each piece of a value that copies alone read."""
    deaths = np.zeros(-(-network.sizes[value] // alignment), np.int64)
    for index, operation in enumerate(network.operations):
        if isinstance(operation, Move):
            for part in operation.parts:
                if part.numbers is None and operation.inputs[part.number] == value:
                    first, last = part.reach
                    deaths[first // alignment : last // alignment + 1] = index
    start = 0
    for death, group in groupby(deaths.tolist()):
        size = len(list(group)) * alignment
        yield start, size, death
        start += size


def _over_states(
    network: Network, in_place: Callable[[Operation], bool], last: Mapping[int, int]
) -> dict[int, int]:
    """Return {value: the state that becomes it, in whose place it can be made}.

    Nobody needs the state any more by then, but an operation that may write where it reads. A value that
    comes out, too, has a place of its own, which holds it until the next run, whatever becomes of the state.
    """
    found: dict[int, int] = {}
    for given, becomes in network.states:
        for index, operation in enumerate(network.operations):
            reads = in_place(operation) and operation.output == becomes
            is_free = last[given.value] < index + reads and not network.is_output(becomes)
            if becomes in operation.outputs and is_free:
                found.setdefault(becomes, given.value)
    return found


def _whole(inside: Mapping[int, Inside], value: int) -> Inside:
    """Return the value that a value is a part of in the end, and where it lies in this one."""
    start = 0
    while value in inside:
        value, more = inside[value]
        start += more
    return Inside(value, start)


def _ended(
    network: Network, operation: Operation, index: int, last: dict[int, int], shared: set[int]
) -> int | None:
    """Return an input of the output's size that nobody needs any more, or None; none of those that share."""
    size = network.sizes[operation.output]
    ended = [value for value in operation.inputs if last[value] == index and network.sizes[value] == size]
    ended = [value for value in ended if value not in network.constants and value not in shared]
    return ended[0] if ended else None


def _last_uses(network: Network) -> dict[int, int]:
    """Return the last step that needs each value, by the value's number; the one that makes it, at least."""
    last = dict.fromkeys((end.value for end in network.given), 0)
    for index, operation in enumerate(network.operations):
        last.update(dict.fromkeys(operation.inputs, index))
        last.update((value, index) for value in operation.outputs if value is not None)
    left = (*(end.value for end in network.outputs), *(state.next for state in network.states))
    last.update(dict.fromkeys(left, len(network.operations)))
    return last
