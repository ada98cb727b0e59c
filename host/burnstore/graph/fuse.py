"""What cuts numbers goes into the operation that makes them."""

from burnstore.graph.moves import Move
from burnstore.graph.network import Network
from burnstore.graph.operations import (
    Add,
    AveragePool,
    Broadcast,
    Clip,
    Convolution,
    Linear,
    Lookup,
    LookupEach,
    MaxPool,
    Normalize,
    Operation,
    Resample,
    cutting,
)
from burnstore.graph.transposed import Transposed

# What can cut its own output.
_CUTTING = (
    Linear,
    Convolution,
    Transposed,
    AveragePool,
    Resample,
    Add,
    Broadcast,
    Lookup,
    LookupEach,
    Normalize,
)


def fuse_clips(network: Network) -> None:
    """Leave no `Clip` in the network."""
    for operation in list(network.operations):
        if isinstance(operation, Clip):
            _place_clip(network, operation)


def _place_clip(network: Network, clip: Clip) -> None:
    value = clip.inputs[0]
    makers = _makers(network, value)
    if makers is not None:
        for maker in makers:
            maker.cut(clip.low, clip.high)
        network.drop(clip, value)
    else:
        network.replace(clip, cutting(clip))


def _makers(network: Network, value: int) -> list[Operation] | None:
    """Return what makes a value, and can cut it for its one reader; None where something can't.

    A MaxPool leaves it to what is before it, and so does what only moves numbers.
    """
    maker = network.maker(value)
    if maker is None or network.only_reader(value) is None:
        return None
    if isinstance(maker, _CUTTING):
        return [maker]
    if not isinstance(maker, MaxPool | Move):
        return None
    found: list[Operation] = [maker]
    for given in maker.inputs:
        before = _makers(network, given)
        if before is None:
            return None
        found += before
    return found
