"""Operations computed in stripes of rows, so that most values between them are never there as a whole.

A region is operations that read one value, the entry, and leave one, the exit. For each stripe of rows of
the exit every operation makes the rows that are needed. Those that stripes before needed, too, are kept, or
are made again: what is kept takes copies of rows, and twice the place while new rows are put to it. What
comes out in the end is the same to the byte.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from math import prod
from typing import Any, NamedTuple

from burnrt.nn.copying import joined
from burnstore.graph.moves import Move, Moved
from burnstore.graph.network import Network, Planes, Stripe
from burnstore.graph.operations import Add, AveragePool, Convolution, Lookup, MaxPool, Operation, Window

STEP = "rows"  # the name of steps that copy rows

_APART = 4  # channels of an input that are copied one by one, so that what was read of each is free


@dataclass(frozen=True)
class Region:
    """Operations that follow each other in a network. planes: of all values that they read and make."""

    operations: list[Operation]
    entry: int
    exit: int
    planes: Mapping[int, Planes]

    @property
    def height(self) -> int:
        """The rows that come out."""
        return self.planes[self.exit].height


def planes_of(network: Network) -> dict[int, Planes]:
    """Return the layout of each value that windows slide over or make, and of what is added to such."""
    found: dict[int, Planes] = {}
    for operation in network.operations:
        window = getattr(operation, "window", None)
        if _window(operation) is not None and window is not None:
            found[operation.output] = Planes(operation.count // prod(window.out_size), *window.out_size)
            given = operation.inputs[0]
            found.setdefault(given, Planes(network.sizes[given] // prod(window.size), *window.size))
    each = [operation for operation in network.operations if isinstance(operation, Add | Lookup)]
    for operation in [*each, *reversed(each)]:
        values = (operation.output, *operation.inputs)
        known = next((found[value] for value in values if value in found), None)
        if known is not None:
            for value in values:
                found.setdefault(value, known)
    return found


def _window(operation: Operation) -> Window | None:
    """Return the windows of an operation that can make some rows alone."""
    if isinstance(operation, MaxPool | AveragePool):
        return operation.window
    return operation.window if isinstance(operation, Convolution) else None


def region_of(network: Network, start: int, stop: int, planes: Mapping[int, Planes]) -> Region | None:
    """Return operations `start` to `stop` as a region, or None where they are none."""
    operations = network.operations[start:stop]
    made = {operation.output for operation in operations}
    read = {value for operation in operations for value in operation.inputs}
    entries, last = read - made, operations[-1].output
    if not network.stripes.keys().isdisjoint(read | made):
        return None
    if len(entries) != 1 or not all(_is_by_rows(operation, planes) for operation in operations):
        return None
    entry = next(iter(entries))
    left = {state.next for state in network.states} | {end.value for end in network.outputs}
    left |= {value for other in network.operations[stop:] for value in other.inputs}
    if (
        made & left != {last}
        or made - read != {last}
        or entry in network.constants
        or planes[last].height < 2
    ):
        return None
    return Region(operations, entry, last, planes)


def _is_by_rows(operation: Operation, planes: Mapping[int, Planes]) -> bool:
    values = (operation.output, *operation.inputs)
    if operation.besides or any(value not in planes for value in values):
        return False
    window = _window(operation)
    if window is None:
        is_each = isinstance(operation, Add | Lookup)
        return is_each and all(planes[value] == planes[operation.output] for value in values)
    return planes[operation.inputs[0]][1:] == window.size


def kept(network: Network) -> list[int]:
    """Return the values of which stripes keep rows, those with the largest rows first."""
    joins = [each for each in network.operations if isinstance(each, Move) and len(each.inputs) == 2]
    found = {network.stripes[each.output] for each in joins if each.output in network.stripes}
    sizes = {stripe.whole: stripe.planes.channels * stripe.planes.width for stripe in found}
    return sorted(sizes, key=lambda value: (-sizes[value], value))


def striped(network: Network, region: Region, ends: Sequence[int], again: Collection[int] = ()) -> Network:
    """Return the network with a region in stripes.

    ends: the row of the exit behind each. again: values whose rows are not kept.
    """
    start = network.operations.index(region.operations[0])
    stop = start + len(region.operations)
    made = replace(network, sizes=dict(network.sizes), stripes=dict(network.stripes))
    found = _Stripes(made, region, ends, again).operations()
    made.operations = [*network.operations[:start], *found, *network.operations[stop:]]
    return made


def _first(operation: Operation, row: int) -> int:
    """Return the first row that an operation reads for its rows from `row` on."""
    window = _window(operation)
    return row if window is None else max(0, row * window.stride[0] - window.padding[0])


def _behind(operation: Operation, row: int, height: int) -> int:
    """Return the row behind the last of `height` that it reads for the rows before `row`."""
    window = _window(operation)
    if window is None or not row:
        return row
    reach = (window.kernel[0] - 1) * window.dilation[0] + 1
    return min(height, (row - 1) * window.stride[0] - window.padding[0] + reach)


class _Rows(NamedTuple):
    """Rows that are there: of which value, from which to which."""

    value: int
    first: int
    end: int


class _Stripes:
    """A region on its way to stripes.

    ends: of each value how many rows there are after each stripe. starts: the first one that a stripe makes.
    needed: the first one that it reads.
    """

    def __init__(self, network: Network, region: Region, ends: Sequence[int], again: Collection[int]) -> None:
        self._network = network
        self._last = max(network.sizes)
        self._inputs = {end.value for end in network.inputs}
        self._region = region
        self._readers: dict[int, list[Operation]] = {}
        for operation in region.operations:
            for value in operation.inputs:
                self._readers.setdefault(value, []).append(operation)
        self._ends = {region.exit: [0, *ends]}
        self._starts = {region.exit: [0, 0, *ends]}
        self._needed: dict[int, list[int]] = {}
        self._count = len(ends)
        for operation in reversed(region.operations):
            for value in operation.inputs:
                self._plan(value, value in again)
        self._there: dict[int, _Rows] = {}
        self._made: list[Operation] = []

    def _plan(self, value: int, is_again: bool) -> None:
        """Find which rows of a value each stripe needs and makes, as soon as that is known of its readers."""
        height, readers = self._region.planes[value].height, self._readers[value]
        if any(each.output not in self._ends for each in readers):
            return
        stripes = range(self._count + 1)
        ends = [max(_behind(each, self._ends[each.output][at], height) for each in readers) for at in stripes]
        needed = [
            min(
                (_first(each, self._starts[each.output][at]) for each in readers if self._makes(each, at)),
                default=height,
            )
            for at in stripes
        ]
        self._ends[value], self._needed[value] = ends, needed
        self._starts[value] = [
            0,
            *(min(*pair) for pair in zip(ends, needed[1:] if is_again else ends, strict=False)),
        ]

    def _makes(self, operation: Operation, stripe: int) -> bool:
        value = operation.output
        return self._starts[value][stripe] < self._ends[value][stripe]

    def operations(self) -> list[Operation]:
        """Return all operations of the region, stripe after stripe, and the copy of all to the exit."""
        exits: list[_Rows] = []
        for stripe in range(1, self._count + 1):
            for place, operation in enumerate(self._region.operations):
                self._make(operation, stripe)
                for value in set(operation.inputs):
                    later = self._region.operations[place + 1 :]
                    if value != self._region.entry and not any(value in each.inputs for each in later):
                        self._keep(value, stripe)
            exits.append(self._there.pop(self._region.exit))
        whole = self._region.exit
        planes = self._region.planes[whole]
        parts = [_moved(planes, number, each, each, planes.height, 0) for number, each in enumerate(exits)]
        self._move([each.value for each in exits], whole, planes.height, parts)
        return self._made

    def _make(self, operation: Operation, stripe: int) -> None:
        """Make the rows of a stripe that the ones before have not made."""
        value = operation.output
        if not self._makes(operation, stripe):
            return
        first, end = self._starts[value][stripe], self._ends[value][stripe]
        height = self._region.planes[operation.inputs[0]].height
        needed = _first(operation, first), _behind(operation, end, height)
        given = [self._rows(each, *needed, operation) for each in operation.inputs]
        made = self._new(value, first, end)
        inputs = tuple(each.value for each in given)
        changes: dict[str, Any] = {"inputs": inputs, "output": made.value, "count": self._size(made)}
        window = _window(operation)
        if window is not None:
            size = (given[0].end - given[0].first, window.size[1])
            above = needed[0] - (first * window.stride[0] - window.padding[0])
            changes["window"] = replace(
                window,
                size=size,
                out_size=(end - first, window.out_size[1]),
                padding=(above, window.padding[1]),
            )
        if isinstance(operation, AveragePool) and len(operation.inside) > 1:
            width = operation.window.out_size[1]
            cells = slice(first * width, end * width)
            changes |= {"inside": operation.inside[cells], "divisors": operation.divisors[cells]}
        self._made.append(replace(operation, **changes))
        self._join(value, made)

    def _size(self, rows: _Rows) -> int:
        return self._network.sizes[rows.value]

    def _rows(self, value: int, first: int, end: int, reader: Operation) -> _Rows:
        """Return rows of a value, alone or, for windows, with others behind them."""
        if value == self._region.entry:
            height = self._region.planes[value].height
            return self._part(_Rows(value, 0, height), value, first, end)
        there = self._there[value]
        behind = _window(reader) is not None and getattr(reader, "bits", 8) == 8
        if there.first == first and (there.end == end or behind):
            return there
        return self._part(there, value, first, end)

    def _part(self, there: _Rows, value: int, first: int, end: int) -> _Rows:
        """Return a copy of some rows."""
        found = self._new(value, first, end, is_copy=True)
        planes = self._region.planes[value]
        part = _moved(planes, 0, there, found, end - first, first)
        parts = _apart(part, planes.channels) if there.value in self._inputs else [part]
        self._move([there.value], found.value, end - first, parts)
        return found

    def _join(self, value: int, made: _Rows) -> None:
        """Put new rows behind those that are kept."""
        kept = self._there.get(value)
        self._there[value] = made
        if kept is not None:
            found = self._new(value, kept.first, made.end, is_copy=True)
            planes, rows = self._region.planes[value], made.end - kept.first
            parts = [
                _moved(planes, number, each, each, rows, kept.first)
                for number, each in enumerate((kept, made))
            ]
            self._move([kept.value, made.value], found.value, rows, parts)
            self._there[value] = found

    def _keep(self, value: int, stripe: int) -> None:
        """Keep the rows that stripes to come need, when nobody needs others any more."""
        there = self._there.get(value)
        if there is None:
            return
        later = range(stripe + 1, self._count + 1)
        starts = [self._starts[value][at] for at in later]
        first = max(there.first, min((self._needed[value][at] for at in later), default=there.end))
        if first >= min(starts, default=there.end):
            del self._there[value]
        elif first > there.first:
            self._there[value] = self._part(there, value, first, there.end)

    def _new(self, whole: int, first: int, end: int, is_copy: bool = False) -> _Rows:
        """Return rows that are a value of their own."""
        network, planes = self._network, self._region.planes[whole]
        self._last = value = self._last + 1
        network.sizes[value] = planes.channels * (end - first) * planes.width
        network.stripes[value] = Stripe(whole, planes, first, end - first, is_copy)
        return _Rows(value, first, end)

    def _move(self, inputs: list[int], output: int, rows: int, parts: list[Moved]) -> None:
        count = self._network.sizes[output]
        self._made.append(Move(name=STEP, inputs=tuple(inputs), output=output, count=count, parts=parts))


def _moved(planes: Planes, number: int, given: _Rows, rows: _Rows, height: int, start: int) -> Moved:
    """Return how rows of a value go to one of `height` rows that begins with row `start`.

    number: of the input. given: its rows. rows: those of them that go.
    """
    channels, _, width = planes
    count = rows.end - rows.first
    dims = [(channels, (given.end - given.first) * width, height * width), (count * width, 1, 1)]
    first, to = ((rows.first - before) * width for before in (given.first, start))
    return Moved(number, first, to, tuple(joined(dims)))


def _apart(part: Moved, channels: int) -> list[Moved]:
    """Return a copy of planes as one of each, where these are few."""
    if len(part.dims) < 2 or channels > _APART:
        return [part]
    (_, step, out_step), row = part.dims
    return [
        replace(part, start=part.start + plane * step, to=part.to + plane * out_step, dims=(row,))
        for plane in range(channels)
    ]
