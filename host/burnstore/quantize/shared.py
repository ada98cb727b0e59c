"""Values whose bytes must stand for the same numbers: what is moved unchanged, and states."""

from burnstore.graph.network import Network
from burnstore.graph.operations import Copy


def sharing(network: Network) -> dict[int, int]:
    """Return {value: one of those that it shares its bytes with}, the same for all of them."""
    found: dict[int, int] = {}
    pairs = [(state.given.value, state.next) for state in network.states]
    copies = [each for each in network.operations if isinstance(each, Copy)]
    pairs += [(copy.inputs[0], copy.output) for copy in copies]
    for pair in pairs:
        first, second = (found.setdefault(value, value) for value in pair)
        found.update((value, first) for value, whole in list(found.items()) if whole == second)
    return found
