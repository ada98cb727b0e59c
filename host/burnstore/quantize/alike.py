"""Values whose bytes must stand for the same numbers: what is moved unchanged, and states."""

from burnstore.graph.network import Network
from burnstore.graph.operations import Copy
from burnstore.graph.recurrence import Recurrence

# What a byte of hidden states, and of cells, stands for at least: see `burnrt.kernels.int8`.
_FINEST, _FINEST_OF_CELLS = 2.0**-8, 2.0**-7


def alike(network: Network) -> dict[int, int]:
    """Return {value: one of those that it shares its bytes with}, the same for all of them."""
    found: dict[int, int] = {}
    pairs = [(state.given.value, state.next) for state in network.states]
    copies = [each for each in network.operations if isinstance(each, Copy)]
    pairs += [(copy.inputs[0], copy.output) for copy in copies]
    for layer in _layers(network):
        pairs += [(layer.output, value) for value in layer.alike]
        pairs += [(layer.cells[0], value) for value in layer.cells]
    for pair in pairs:
        first, second = (found.setdefault(value, value) for value in pair)
        found.update((value, first) for value, whole in list(found.items()) if whole == second)
    return found


def finest(network: Network, shared: dict[int, int]) -> dict[int, float]:
    """Return the least scales in recurrent layers: {the value that stands for all alike: scale}."""
    found: dict[int, float] = {}
    for layer in _layers(network):
        if layer.kind != "rnn":
            found[shared[layer.output]] = max(found.get(shared[layer.output], 0), _FINEST)
        if layer.kind == "lstm":
            whole = shared[layer.cells[0]]
            found[whole] = max(found.get(whole, 0), _FINEST_OF_CELLS)
    return found


def _layers(network: Network) -> list[Recurrence]:
    return [each for each in network.operations if isinstance(each, Recurrence)]
