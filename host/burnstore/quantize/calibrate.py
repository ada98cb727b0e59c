"""What the bytes of each value stand for, found from the numbers that samples give.

    number = scale × (byte - zero point)

The range that a value has, as `ranges` says, with 0 always in it, is divided into 255 steps.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from burnstore.graph.network import Network
from burnstore.graph.operations import Add, MaxPool, Numbers, Softmax
from burnstore.quantize.ranges import Range

_STEPS = 255
_SMALLEST = 2.0**-126  # normal binary32


@dataclass(frozen=True)
class Bytes:
    """What a value's bytes stand for. The scale is a binary32 number, so that every board has the same."""

    scale: float
    zero_point: int

    def of(self, numbers: Any) -> NDArray[np.uint8]:
        """Return the bytes nearest to numbers, computed as `burnrt.numbers` does."""
        with np.errstate(over="ignore"):
            steps = np.asarray(numbers, np.float32) / np.float32(self.scale)
        found: NDArray[np.uint8] = np.clip(steps + np.float32(self.zero_point + 0.5), 0, 255).astype(np.uint8)
        return found

    def numbers(self, found: Any) -> Numbers:
        """Return what bytes stand for."""
        return self.scale * (np.asarray(found, np.float64) - self.zero_point)

    def cut(self, low: float, high: float) -> tuple[int, int]:
        """Return the bytes of the bounds."""
        least, largest = self.of([low, high]).tolist()
        return least, largest


OF_SHARES = Bytes(1 / 256, 0)  # what a softmax makes


def bytes_of(least: float, largest: float, finest: float = _SMALLEST) -> Bytes:
    """Return what the bytes of a value within a range stand for. Where all is 0, it is from 0 to 1.

    finest: the least scale.
    """
    least, largest = min(least, 0.0), max(largest, 0.0)
    if least == largest:
        largest = 1.0
    scale = max(float(np.float32((largest - least) / _STEPS)), finest)
    return Bytes(scale, int(np.clip(np.rint(-least / scale), 0, 255)))


def all_bytes(network: Network, found: dict[int, Range]) -> dict[int, Bytes]:
    """Return what the bytes of the input and of every operation's output stand for, by value."""
    known: dict[int, Bytes] = {}
    for value in network.values():
        maker = network.maker(value)
        if isinstance(maker, Softmax):
            known[value] = OF_SHARES
        elif isinstance(maker, MaxPool):
            known[value] = known[maker.inputs[0]]
        else:
            finest = max(known[read].scale for read in maker.inputs) / 256 if isinstance(maker, Add) else 0.0
            known[value] = bytes_of(*_range(network, value, found), max(finest, _SMALLEST))
    return known


def _range(network: Network, value: int, found: dict[int, Range]) -> Range:
    """Return the range of a value; of one that a MaxPool alone reads, that of what is left of it."""
    reader = network.only_reader(value)
    if isinstance(reader, MaxPool):
        return _range(network, reader.output, found)
    maker = network.maker(value)
    if maker is None:
        return found[value]
    least, largest = np.clip(found[value], maker.low, maker.high)
    return float(least), float(largest)
