"""What cuts numbers goes into the operation that makes them."""

from burnstore.graph.network import Network
from burnstore.graph.operations import Add, AveragePool, Clip, Convolution, Linear, Lookup, MaxPool

_CUTTING = (Linear, Convolution, AveragePool, Add, Lookup)  # what can cut its own output


def fuse_clips(network: Network) -> None:
    """Leave no `Clip` in the network."""
    for operation in list(network.operations):
        if isinstance(operation, Clip):
            _place_clip(network, operation)


def _place_clip(network: Network, clip: Clip) -> None:
    value = clip.inputs[0]
    if _cut(network, value, clip):
        network.drop(clip, value)
    else:
        lookup = Lookup(
            name=clip.name,
            inputs=clip.inputs,
            output=clip.output,
            count=clip.count,
            low=clip.low,
            high=clip.high,
            function=lambda numbers: numbers,
        )
        network.replace(clip, lookup)


def _cut(network: Network, value: int, clip: Clip) -> bool:
    """Cut a value where it is made, which a MaxPool leaves to what is before it; tell whether that can be."""
    maker = network.maker(value)
    if maker is None or network.only_reader(value) is None:
        return False
    if isinstance(maker, MaxPool):
        if not _cut(network, maker.inputs[0], clip):
            return False
    elif not isinstance(maker, _CUTTING):
        return False
    maker.cut(clip.low, clip.high)
    return True
