"""Where each value of a network in integers lies in the arena: a byte a number."""

from burnrt.words import work_size
from burnstore.graph import memory
from burnstore.graph.memory import Memory
from burnstore.graph.network import Network
from burnstore.graph.operations import Add, Convolution, Lookup

_IN_PLACE = (Add, Lookup)  # may write where they read


def lay_out(network: Network) -> Memory:
    """Return the places of the input, of every output and of what convolutions work in."""
    work = {
        operation.output: [work_size(*operation.weight.shape[1:])]
        for operation in network.operations
        if isinstance(operation, Convolution) and not operation.is_depthwise
    }
    return memory.lay_out(network, lambda operation: isinstance(operation, _IN_PLACE), work, 4)
