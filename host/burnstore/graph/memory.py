"""Where each value lies in the arena, and what is overwritten when."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from burnrt.arena import place
from burnstore.graph.network import Network
from burnstore.graph.operations import Operation


class Memory(NamedTuple):
    """offsets: of each value, by its number. work: of what an operation works in besides, by its output.
    size: of all.
    """

    offsets: dict[int, int]
    work: dict[int, list[int]]
    size: int


class Inside(NamedTuple):
    """Where a value lies that is a part of another. whole: the other. start: from where that begins."""

    whole: int
    start: int


class _Buffers:
    """Places in the arena, each with its size and the first and last step that need it."""

    def __init__(self) -> None:
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
) -> Memory:
    """Return the places of the inputs and states, of all that operations make, and of what they work in.

    A state has its place to itself through the whole run. What it becomes is made there where that is safe;
    what lies elsewhere must be copied there at the end.

    in_place: whether an operation may write where it reads a value of its output's size. work: sizes, by the
    operation's output. All sizes and places are in one unit, in which a number of a value takes 1; places are
    multiples of `alignment`. inside: of values that are parts of others, where in these they lie.
    sizes: of values, in that unit, where it is not how many numbers they hold.
    """
    of_values = network.sizes if sizes is None else sizes
    inside = inside or {}
    last = _last_uses(network)
    over = _over_states(network, in_place, last)
    last.update((state.given.value, len(network.operations)) for state in network.states)
    buffers, holds = _Buffers(), {}
    shared = {*inside, *(whole for whole, _ in inside.values())}
    for end in network.given:
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
    offsets, size = place(buffers.sizes, buffers.births, buffers.deaths, alignment)
    return Memory(
        {value: offsets[buffer] + _whole(inside, value)[1] for value, buffer in holds.items()},
        {value: [offsets[buffer] for buffer in found] for value, found in working.items()},
        size,
    )


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
