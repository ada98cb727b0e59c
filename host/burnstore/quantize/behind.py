"""What rounding a value costs behind the functions of one value that read it.

A logarithm makes much of small numbers, and a sigmoid little of large ones. So the range of such a function's
input is the one by which its output is off least.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import numpy as np

from burnstore.graph.moves import Move
from burnstore.graph.network import Network
from burnstore.graph.operations import Add, Lookup, Numbers, Operation, Scale
from burnstore.quantize.calibrate import bytes_of
from burnstore.quantize.statistics import Range

_SHARES = np.geomspace(1, 2.0**-10, 41).tolist()  # of an end of the whole range: the ends that are tried

Function = Callable[[Numbers], Numbers]
Picks = Mapping[int, Numbers]


class Path(NamedTuple):
    """Some of a value's numbers, what is made of each, and whether a table makes it."""

    numbers: Numbers
    function: Function
    is_table: bool


def paths(network: Network, value: int, picks: Picks) -> list[Path]:
    """Return what all that read a value make of it, or none where no table is among them.

    picks: of each value, some of its numbers, which lie at the same places in all values of one size.
    """
    found = [] if network.is_output(value) else list(_paths(network, value, picks))
    return found if any(path.is_table for path in found) else []


def _paths(network: Network, value: int, picks: Picks) -> Iterator[Path]:
    for reader in network.readers(value):
        if isinstance(reader, Move) and len(set(reader.inputs)) == 1:
            yield from _paths(network, reader.output, picks)
        elif value in picks:
            yield _through(network, reader, value, picks)


def _through(network: Network, reader: Operation, value: int, picks: Picks) -> Path:
    """Return what a reader makes of a value's numbers one by one, and so do those that alone read that."""
    own, numbers = _own(reader, value, picks), picks[value]
    if own is None:
        return Path(numbers, lambda given: given, False)
    function, made = own, reader.output
    following = network.only_reader(made)
    behind = None if following is None or made not in picks else _through(network, following, made, picks)
    is_table = isinstance(reader, Lookup)
    if behind is None:
        return Path(numbers, function, is_table)
    return Path(numbers, lambda given: behind.function(function(given)), is_table or behind.is_table)


def _own(reader: Operation, value: int, picks: Picks) -> Function | None:
    """Return what an operation makes of each of a value's numbers; None where it takes several together."""
    if isinstance(reader, Lookup):
        function = reader.function
    elif isinstance(reader, Scale) and len(reader.factor) == 1:
        function = _line(float(reader.factor[0]), reader.shift[0])
    elif isinstance(reader, Add) and all(read in picks for read in reader.inputs):
        place = reader.inputs.index(value)
        other = reader.factors[1 - place] * picks[reader.inputs[1 - place]]
        function = _line(reader.factors[place], other)
    else:
        return None
    low, high = reader.low, reader.high
    return lambda given: np.clip(function(given), low, high)


def _line(factor: float, shift: Numbers) -> Function:
    return lambda given: factor * given + shift


def with_least_error(found: list[Path], bounds: Range) -> Range:
    """Return the range of a value by which what is made of it is off least. Its ends are tried in turns.

    found: what is made of it. bounds: what its maker cuts its numbers to.
    """
    cut = [path._replace(numbers=np.clip(path.numbers, *bounds)) for path in found]
    with np.errstate(all="ignore"):
        wanted = [path.function(path.numbers) for path in cut]
    least = min(0.0, *(float(path.numbers.min()) for path in cut))
    largest = max(0.0, *(float(path.numbers.max()) for path in cut))
    best = (least, largest)
    for place in (1, 0, 1) if least < 0 < largest else (1,) if largest else (0,):
        ends = (least, largest)[place]
        tried = [(best[0], share * ends) if place else (share * ends, best[1]) for share in _SHARES]
        best = min(tried, key=lambda each: _error(cut, wanted, each))
    return best


def _error(found: list[Path], wanted: list[Numbers], tried: Range) -> float:
    """Return the mean square errors of what is made, each as a share of its variance, added up."""
    known, total = bytes_of(*tried), 0.0
    for path, right in zip(found, wanted, strict=True):
        rounded = known.numbers(np.clip(np.rint(path.numbers / known.scale) + known.zero_point, 0, 255))
        with np.errstate(all="ignore"):
            made = np.clip(path.function(rounded), right.min(), right.max())
        variance = float(right.var())
        if variance:
            total += float(np.square(made - right).mean()) / variance
    return total if np.isfinite(total) else np.inf
