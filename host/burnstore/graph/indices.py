"""Inputs that name vectors of a table of more than 256: they have 16 bits, also where they are moved."""

from burnpack.errors import Unsupported
from burnstore.graph.in_floats import Dequantize
from burnstore.graph.moves import Move
from burnstore.graph.network import Network
from burnstore.graph.operations import Embedding, Lookup, Operation

BYTES_MOST = 256  # entries of a table that a byte names


def place_indices(network: Network) -> None:
    """Let inputs that name entries of large tables have 16 bits. Raises `Unsupported` for what has none."""
    for operation in network.operations:
        if isinstance(operation, Embedding) and len(operation.table) > BYTES_MOST:
            _widen(network, operation.inputs[0], operation)


def of_indices(network: Network) -> set[int]:
    """Return the values that functions make of such indices."""
    return {
        each.output
        for each in network.operations
        if isinstance(each, Lookup) and not network.wide.keys().isdisjoint(each.inputs)
    }


def _widen(network: Network, value: int, reader: Operation) -> None:
    """Give a value 16 bits, with all that it is moved from, and what it is moved to."""
    if value in network.wide:
        return
    maker = network.maker(value)
    if not isinstance(maker, Move) and value not in {end.value for end in network.inputs}:
        what = "names vectors of a large table by what is computed, not by an input, or what is moved from it"
        raise Unsupported(what, reader.name, found=None if maker is None else maker.name)
    if network.is_output(value):
        raise Unsupported("takes indices of 16 bits, which can't be an answer, too", reader.name)
    network.wide[value] = value
    for given in () if maker is None else maker.inputs:
        _widen(network, given, reader)
    for each in network.readers(value):
        if isinstance(each, Move):
            _widen(network, each.output, each)
        elif isinstance(each, Dequantize) or not isinstance(each, Embedding | Lookup):
            what = f"there is no such step for the indices of {reader.name}, which have 16 bits"
            raise Unsupported(what, each.name, found=type(each).__name__)
