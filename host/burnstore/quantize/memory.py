"""Where each value lies in the arena, and what is overwritten when."""

from typing import NamedTuple

from burnrt.arena import place
from burnrt.words import work_size
from burnstore.quantize.operations import Add, Convolution, Lookup, Network

_IN_PLACE = (Add, Lookup)  # may write where they read


class Memory(NamedTuple):
    """offsets: of each value, by its number. work: of what a convolution may use, by its output.
    size: of all.
    """

    offsets: dict[int, int]
    work: dict[int, int]
    size: int


class _Buffers:
    """Places in the arena, each with its bytes and the first and last step that need it."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self.births: list[int] = []
        self.deaths: list[int] = []

    def add(self, size: int, birth: int, death: int) -> int:
        """Return the number of a new buffer."""
        self.sizes.append(size)
        self.births.append(birth)
        self.deaths.append(death)
        return len(self.sizes) - 1


def lay_out(network: Network, input_count: int) -> Memory:
    """Return the places of the input, of `input_count` bytes, of every output and of convolutions' work."""
    last = _last_uses(network)
    buffers = _Buffers()
    holds = {network.input: buffers.add(input_count, 0, last[network.input])}
    work = {}
    for index, operation in enumerate(network.operations):
        ended = [value for value in operation.inputs if last[value] == index]
        if isinstance(operation, _IN_PLACE) and ended:
            holds[operation.output] = holds[ended[0]]
            buffers.deaths[holds[ended[0]]] = last[operation.output]
        else:
            holds[operation.output] = buffers.add(operation.count, index, last[operation.output])
        if isinstance(operation, Convolution) and not operation.is_depthwise:
            size = work_size(*operation.weight.shape[1:])
            work[operation.output] = buffers.add(size, index, index)
    offsets, size = place(buffers.sizes, buffers.births, buffers.deaths, 4)
    return Memory(
        {value: offsets[buffer] for value, buffer in holds.items()},
        {value: offsets[buffer] for value, buffer in work.items()},
        size,
    )


def _last_uses(network: Network) -> dict[int, int]:
    """Return the last step that needs each value, by the value's number."""
    last = dict.fromkeys(network.values(), 0)
    for index, operation in enumerate(network.operations):
        last.update(dict.fromkeys(operation.inputs, index))
    last[network.output] = len(network.operations)
    return last
