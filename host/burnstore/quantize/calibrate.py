"""What the bytes of each value stand for, found from the numbers that samples give.

    number = scale × (byte - zero point)

The range between the least and the largest number, 0 always in it, is divided into 255 steps. With a
percentile p, p percent of the numbers lie below its upper end and p percent above its lower.
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from burnstore.graph.network import Network
from burnstore.graph.operations import Add, MaxPool, Numbers, Softmax
from burnstore.quantize.reference import Reference

_BINS = 1 << 14  # of a histogram: 64 to a step, where the range is the whole
_STEPS = 255
_SMALLEST = 2.0**-126  # normal binary32

Range = tuple[float, float]


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


def ranges(
    reference: Reference, samples: NDArray[Any], percentile: float | None, answer: int
) -> dict[int, Range]:
    """Return the range of each value's numbers over the samples, by the value's number.

    answer: the value that is the model's; of this one it is the whole range.
    """
    found = _extremes(reference, samples)
    if percentile is None:
        return found
    return {**_percentiles(reference, samples, percentile, found), answer: found[answer]}


def _extremes(reference: Reference, samples: NDArray[Any]) -> dict[int, Range]:
    found: dict[int, Range] = {}
    for _, values in reference.values(samples):
        for number, numbers in values.items():
            least, largest = found.get(number, (0.0, 0.0))
            found[number] = (min(least, float(numbers.min())), max(largest, float(numbers.max())))
    return found


def _percentiles(
    reference: Reference, samples: NDArray[Any], percentile: float, whole: dict[int, Range]
) -> dict[int, Range]:
    histograms = {number: np.zeros(_BINS, np.int64) for number in whole}
    for _, values in reference.values(samples):
        for number, numbers in values.items():
            histograms[number] += _histogram(numbers, whole[number])
    return {number: _ends(counts, percentile, whole[number]) for number, counts in histograms.items()}


def _histogram(numbers: NDArray[np.float32], whole: Range) -> NDArray[np.int64]:
    """Return how many of the numbers lie in each bin of a range."""
    least, largest = whole
    width = (largest - least) / _BINS or 1.0
    bins = (numbers.reshape(-1).astype(np.float64) - least) / width
    return np.bincount(np.minimum(bins.astype(np.int64), _BINS - 1), minlength=_BINS)


def _ends(counts: NDArray[np.int64], percentile: float, whole: Range) -> Range:
    """Return the outer edges of the bins that the ends of the range lie in."""
    edges = np.linspace(*whole, _BINS + 1)
    wanted = counts.sum() * percentile / 100
    lower, upper = (np.searchsorted(np.cumsum(found), wanted) for found in (counts[::-1], counts))
    return float(edges[_BINS - 1 - lower]), float(edges[upper + 1])


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
