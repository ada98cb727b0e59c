"""Where each value of a network in integers lies in the arena: a byte a number, two or four of others."""

from collections.abc import Mapping
from typing import NamedTuple

from burnrt.recurrent_words import GATES, HIDDEN, NUMBERS, SUMS, laid
from burnrt.words import packed_work, product_size, work_size
from burnstore.graph import memory
from burnstore.graph.in_floats import InFloats
from burnstore.graph.memory import Inside, Memory
from burnstore.graph.network import Network
from burnstore.graph.operations import (
    Add,
    Broadcast,
    Convolution,
    Linear,
    Lookup,
    LookupEach,
    Matmul,
    Normalize,
    Operation,
    Resample,
)
from burnstore.graph.recurrence import Recurrence
from burnstore.graph.transposed import Transposed, phases
from burnstore.graph.wide import SUMMING, window_size
from burnstore.quantize.calibrate import Bytes
from burnstore.quantize.sharing import shared

_ALIGNED = 4
_ROUNDS = 300  # in which it is tried to fit an arena
_IN_PLACE = (Add, Broadcast, Lookup, LookupEach, Normalize)  # may write where they read

# A convolution in machine code takes some 40 % less time with 16 windows at once than with 2. For that an
# arena may grow by an eighth, or by so many bytes.
_PAIRS_MOST = 8
_MORE = 384
_WIDENING = 3  # products that could be computed while a weight is made ready for some windows


class Layout(NamedTuple):
    """Where values lie, and how many pairs of windows each convolution has room for, by its output."""

    memory: Memory
    pairs: dict[int, int]


def lay_out(
    network: Network,
    known: Mapping[int, Bytes],
    work: Mapping[int, list[int]] | None = None,
    arena: int | None = None,
) -> Layout:
    """Return the places of what goes in, of every output and of what convolutions work in.

    known: what the bytes of each value stand for. work: the bytes that steps in floats work in, by their
    outputs. arena: how many bytes it may have, where that is possible; then each convolution works in as many
    of these as are free.
    """
    besides = work or {}
    inside = shared(network, known, lambda inside: _laid_out(network, 0, inside, besides, arena).memory.size)
    least = _laid_out(network, 0, inside, besides, arena, _ROUNDS)
    if arena is not None:
        return _with_room(network, least, arena)
    most = least.memory.size + max(_MORE, least.memory.size // 8)
    budget = max((_work(each, _PAIRS_MOST) for each in _convolutions(network)), default=0)
    while budget:
        found = _laid_out(network, budget, inside, besides)
        if found.memory.size <= most:
            return found
        budget = budget * 3 // 4
    return least


def _with_room(network: Network, least: Layout, arena: int) -> Layout:
    """Return the places where each convolution works in the largest piece that is free meanwhile."""
    found, size = least.memory, least.memory.size
    pairs, work = dict(least.pairs), dict(found.work)
    for each in _convolutions(network):
        start, room = found.largest_free(each.output, arena)
        pairs[each.output] = many = _pairs(each, room)
        if many > least.pairs[each.output]:
            work[each.output] = [start]
            size = max(size, start + _work(each, many))
    return Layout(found._replace(work=work, size=size), pairs)


def effort(network: Network, arena: int) -> float:
    """Return what convolutions take, with as much room as an arena leaves them: in products."""
    needed = dict(zip((each.output for each in network.operations), alive(network), strict=True))
    macs = float(sum(each.macs for each in network.operations))
    for each in _convolutions(network):
        pairs = _pairs(each, arena - needed[each.output] + _work(each, 1))
        times = -(-each.layout[1] // (2 * pairs))
        macs += _WIDENING * each.weight.size * times
    return macs


def alive(network: Network) -> list[int]:
    """Return how many bytes are needed at one time, at least, at each step."""
    _, work = _working(network, 0)
    return memory.alive(network, _in_place, work, _ALIGNED)


def size_within(network: Network, steps: range, most: int) -> int:
    """Return the bytes of the least arena for some of the steps. most: how many there may be."""
    _, work = _working(network, 0)
    return memory.size_within(network, _in_place, work, _ALIGNED, steps, most)


def _laid_out(
    network: Network,
    budget: int,
    inside: Mapping[int, Inside],
    besides: Mapping[int, list[int]],
    most: int | None = None,
    rounds: int = 0,
) -> Layout:
    """Return the places where a convolution may work in `budget` bytes, or in what it needs."""
    pairs, work = _working(network, budget)
    sizes = {value: size * width_of(network, value) for value, size in network.sizes.items()}
    work |= besides
    found = memory.lay_out(network, _in_place, work, _ALIGNED, inside, sizes, most, rounds)
    return Layout(found, pairs)


def width_of(network: Network, value: int) -> int:
    """Return the bytes that each number of a value takes."""
    return 4 if value in network.floats else 2 if value in network.wide else 1


def _working(network: Network, budget: int) -> tuple[dict[int, int], dict[int, list[int]]]:
    """Return the pairs of windows of each convolution, and what each operation works in."""
    pairs = {each.output: _pairs(each, budget) for each in _convolutions(network)}
    work = {each.output: [_work(each, pairs[each.output])] for each in _convolutions(network)}
    for each in network.operations:
        if each.output in network.wide:
            work |= {each.output: [window_size(each)]} if isinstance(each, SUMMING) else {}
        elif isinstance(each, Matmul):
            work[each.output] = [product_size(*each.extents[2:])]
        elif isinstance(each, Resample):
            work[each.output] = [4 * each.size[1]]
        elif isinstance(each, Transposed):
            pairs[each.output], work[each.output] = _of_phases(each, budget)
        elif isinstance(each, Recurrence):
            work[each.output] = [_recurrent_work(each)]
    work |= {each.output: [packed_work(each.weight.shape[1])] for each in _packed(network)}
    return pairs, work


def _of_phases(operation: Transposed, budget: int) -> tuple[int, list[int]]:
    """Return the pairs of windows of all its convolutions; what these work in, and what one of them makes."""
    found = [phase.convolution for phase in phases(operation)]
    sums = [each for each in found if not each.is_depthwise]
    pairs = min((_pairs(each, budget) for each in sums), default=1)
    work = max((_work(each, pairs) for each in sums), default=0)
    return pairs, [work, max(each.count for each in found) if len(found) > 1 else 0]


def _in_place(operation: Operation) -> bool:
    if isinstance(operation, Recurrence):
        return operation.directions == 1
    if isinstance(operation, InFloats):
        return bool(operation.step.layer.in_place)
    return isinstance(operation, _IN_PLACE)


def _recurrent_work(operation: Recurrence) -> int:
    words = [0] * SUMS
    words[NUMBERS], words[HIDDEN] = operation.numbers, operation.hidden
    return laid(GATES[operation.kind], words)[2]


def _convolutions(network: Network) -> list[Convolution]:
    """Return the operations that become "conv2d"."""
    convolutions = [each for each in network.operations if isinstance(each, Convolution) and each.bits == 8]
    return [each for each in convolutions if not each.is_depthwise and each.output not in network.wide]


def _packed(network: Network) -> list[Linear | Convolution]:
    """Return the operations that become "linear4"."""
    return [each for each in network.operations if isinstance(each, Linear | Convolution) and each.bits == 4]


def _work(operation: Convolution, pairs: int) -> int:
    _, inputs, height, width = operation.weight.shape
    return work_size(inputs, height, width, pairs)


def _pairs(operation: Convolution, budget: int) -> int:
    """Return how many pairs of windows fit a budget and are of use: one at least."""
    most = min(_PAIRS_MOST, (operation.layout[1] + 1) // 2)
    return max(pairs for pairs in range(1, most + 1) if pairs == 1 or _work(operation, pairs) <= budget)
