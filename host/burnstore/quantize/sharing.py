"""Which values lie inside others, so that nothing need be copied.

A part of a value that is one piece lies in it; what becomes such a part is made where that will be. Both only
where bytes stand for the same in both, and where the arena does not grow by it.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping

from burnstore.graph.memory import Inside
from burnstore.graph.moves import Move, Moved
from burnstore.graph.network import Network
from burnstore.quantize.calibrate import Bytes

_ALIGNED = 4  # what kernels read begins at multiples
_TRIALS = 32  # of arenas: where more values could lie in others, several are tried at once

Sharing = Mapping[int, Inside]


def shared(network: Network, known: Mapping[int, Bytes], size_of: Callable[[Sharing], int]) -> Sharing:
    """Return where values lie in others. size_of: the bytes of an arena with values so."""
    found: dict[int, Inside] = {}
    size = size_of(found)
    possible = list(_possible(network, known))
    many = -(-len(possible) // _TRIALS)
    left = [possible[start : start + many] for start in range(0, len(possible), many or 1)][::-1]
    while left:
        tried = left.pop()
        more = _with(found, tried)
        if more == found:
            continue
        new = size_of(more)
        if new <= size:
            found, size = more, new
        elif len(tried) > 1:
            left += [tried[len(tried) // 2 :], tried[: len(tried) // 2]]
    return found


def _with(found: Sharing, more: Iterable[tuple[int, Inside]]) -> dict[int, Inside]:
    """Return where values lie with those of `more` that can lie there."""
    made = dict(found)
    for value, place in more:
        if value not in made and not _leads_to(made, place.whole, value):
            made[value] = place
    return made


def _possible(network: Network, known: Mapping[int, Bytes]) -> Iterator[tuple[int, Inside]]:
    """Yield the values that could lie in others, and where."""
    apart = {number for state in network.states for number in (state.given.value, state.next)}
    apart |= network.constants.keys() | network.wide.keys()  # of 16 bits, of which places are other ones
    for operation in network.operations:
        if not isinstance(operation, Move) or operation.filled is not None:
            continue
        for part in operation.parts:
            given, made = operation.inputs[part.number], operation.output
            if not part.is_shared or part.numbers is not None or not apart.isdisjoint((given, made)):
                continue
            if known[given] != known[made]:
                continue
            if len(operation.parts) == 1 and not part.start % _ALIGNED and not network.is_output(made):
                yield made, Inside(given, part.start)
            elif _is_all(network, given, part) and all(each.is_one_piece for each in operation.parts):
                yield given, Inside(made, part.to)


def _is_all(network: Network, given: int, part: Moved) -> bool:
    """Tell whether a part is all of the value that it comes from, and goes to where that can be made."""
    is_input = any(end.value == given for end in network.given)
    whole = part.start == 0 and part.count == network.sizes[given]
    return whole and not part.to % _ALIGNED and not is_input


def _leads_to(found: Sharing, value: int, other: int) -> bool:
    """Tell whether a value lies in another, or is it."""
    while value in found and value != other:
        value = found[value].whole
    return value == other
