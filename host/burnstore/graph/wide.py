"""Steps on values of 16 bits, within a network in integers of bytes.

At the borders, see `borders`, a step widens bytes to 16 bits, or narrows 16 bits to bytes.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import inf, prod

from burnpack.errors import NotFound, Unsupported
from burnstore.graph.borders import place_borders
from burnstore.graph.in_floats import InFloats, is_chosen
from burnstore.graph.indices import of_indices, place_indices
from burnstore.graph.moves import Move
from burnstore.graph.network import Network
from burnstore.graph.operations import (
    Add,
    AveragePool,
    Convolution,
    Linear,
    Lookup,
    Numbers,
    Operation,
    Product,
    Sum,
)

_WINDOW_MOST = 8192  # numbers that are added up: of more, what comes in would have fewer than 10 bits

SUMMING = (Linear, Convolution, AveragePool)

Function = Callable[[Numbers], Numbers]


@dataclass(kw_only=True, eq=False)
class Widen(Operation):
    """Make 16 bits of bytes: the same integers."""


@dataclass(kw_only=True, eq=False)
class Narrow(Operation):
    """Make bytes of 16 bits."""


def can_be_wide(operation: Operation) -> bool:
    """Tell whether there are kernels for an operation on values of 16 bits."""
    if isinstance(operation, Linear):
        return operation.rows == 1 and operation.weight.shape[1] <= _WINDOW_MOST
    if isinstance(operation, Convolution):
        return prod(operation.weight.shape[1:]) <= _WINDOW_MOST
    if isinstance(operation, AveragePool):
        window = operation.window
        return len(operation.inside) == 1 and not window.pads and prod(window.kernel) <= _WINDOW_MOST
    return isinstance(operation, Add | Sum | Product | Lookup)


def window_size(operation: Operation) -> int:
    """Return the bytes that an operation of `SUMMING` works in: of all that is added up at a time."""
    if isinstance(operation, AveragePool):
        return 2 * prod(operation.window.kernel)
    assert isinstance(operation, Linear | Convolution)
    return 2 * prod(operation.weight.shape[1:])


def place_wide(network: Network, patterns: Sequence[str]) -> None:
    """Let the steps of these names compute on values of 16 bits, and place the borders around them.

    Indices of large tables have 16 bits, whatever the names, and so has what functions make of them.

    Raises `NotFound` for a name that no step has, `Unsupported` for a step that has no 16 bits.
    """
    place_indices(network)
    chosen = [each for each in network.operations if is_chosen(each.name, patterns)]
    for pattern in patterns:
        _check(network, [each for each in chosen if is_chosen(each.name, [pattern])], pattern)
    within = {each.output for each in chosen if can_be_wide(each)} | of_indices(network)
    _join_tables(network, within)
    _keep_moves(network, within)
    outputs = {id(each) for each in network.operations if each.output in within}
    place_borders(network, lambda each: id(each) in outputs, network.wide, Widen, Narrow)


def _check(network: Network, found: Sequence[Operation], pattern: str) -> None:
    """Refuse a name that no step has, or one that has no 16 bits; of many, one is enough that has."""
    if not found:
        names = " ".join(dict.fromkeys(each.name for each in network.operations if can_be_wide(each)))
        raise NotFound(f"no step is called so; these can have 16 bits: {names}", pattern)
    if not any(can_be_wide(each) or isinstance(each, Move) for each in found):
        what = f"there is no such step for values of 16 bits: --float {found[0].name} computes it in floats"
        if isinstance(found[0], InFloats):
            what = "is computed in floats already"
        raise Unsupported(what, found[0].name, found=type(found[0]).__name__)


def _join_tables(network: Network, within: set[int]) -> None:
    """Make one function of two in a row: what lies between them has no steps to be rounded to."""
    for second in network.operations.copy():
        first = network.maker(second.inputs[0]) if second.inputs else None
        if not isinstance(first, Lookup) or not isinstance(second, Lookup):
            continue
        are_chosen = first.output in within and second.output in within
        if are_chosen and network.only_reader(first.output) and (first.low, first.high) == (-inf, inf):
            network.operations.remove(first)
            second.inputs = first.inputs
            second.function = _joined(first.function, second.function)


def _joined(first: Function, second: Function) -> Function:
    return lambda numbers: second(first(numbers))


def _keep_moves(network: Network, within: set[int]) -> None:
    """Let what only moves numbers of 16 bits do so with these, where they go to such steps alone."""
    for operation in network.operations:
        if isinstance(operation, Move):
            made = all(value in within for value in operation.inputs)
            if made and _is_read_within(network, operation, within):
                within.add(operation.output)


def _is_read_within(network: Network, operation: Operation, within: set[int]) -> bool:
    """Tell whether only steps on 16 bits read what an operation makes, or what is moved from there."""
    readers = network.readers(operation.output)
    if not readers or network.is_output(operation.output):
        return False
    return all(
        each.output in within or (isinstance(each, Move) and _is_read_within(network, each, within))
        for each in readers
    )
