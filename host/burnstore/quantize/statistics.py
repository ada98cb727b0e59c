"""What flows through a model over samples: how the numbers of each value are spread."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from burnstore.graph.operations import Numbers
from burnstore.quantize.reference import Floats, Reference
from burnstore.quantize.samples import Samples

Range = tuple[float, float]
Counts = NDArray[np.int64]

_BINS = 1 << 14  # of a histogram: 64 to a step, where the range is the whole
_PICKED = 1 << 13  # numbers of a value, or a few more


@dataclass(frozen=True)
class Spread:
    """Of each of a value's numbers, over all samples.

    least, largest: 0 is among the numbers. means, squares: the mean, and the mean of the square.
    """

    least: Numbers
    largest: Numbers
    means: Numbers
    squares: Numbers

    @property
    def whole(self) -> Range:
        """The range of all numbers."""
        return float(self.least.min()), float(self.largest.max())


def _spreads(reference: Reference, samples: Samples) -> dict[int, Spread]:
    """Return how the numbers of each value are spread, by the value's number."""
    sums: dict[int, Spread] = {}
    for _, values in reference.values(samples):
        for number, numbers in values.items():
            sums[number] = _added(sums.get(number), numbers)
    return {
        number: replace(each, means=each.means / len(samples[0]), squares=each.squares / len(samples[0]))
        for number, each in sums.items()
    }


def _added(known: Spread | None, numbers: Floats) -> Spread:
    wide = numbers.astype(np.float64)
    if known is None:
        zero = np.zeros(wide.shape[1])
        known = Spread(zero, zero, zero, zero)
    return Spread(
        np.minimum(known.least, wide.min(0)),
        np.maximum(known.largest, wide.max(0)),
        known.means + wide.sum(0),
        known.squares + np.square(wide).sum(0),
    )


def _gathered(
    reference: Reference, samples: Samples, whole: Mapping[int, Range]
) -> tuple[dict[int, Counts], dict[int, Numbers]]:
    """Return how many of the numbers of each value lie in each of the bins that its range is divided into.

    And some of its numbers: of values of one size those at the same places.
    """
    found = {number: np.zeros(_BINS, np.int64) for number in whole}
    picks: dict[int, list[Floats]] = {number: [] for number in whole}
    for chosen, values in reference.values(samples):
        for number, numbers in values.items():
            found[number] += _counted(numbers, whole[number])
            step = -(-len(samples[0]) * numbers.shape[1] // _PICKED)
            for place, row in zip(range(chosen.start, chosen.stop), numbers, strict=True):
                picks[number].append(row[place % step :: step])
    return found, {number: np.concatenate(each).astype(np.float64) for number, each in picks.items()}


def _counted(numbers: Floats, whole: Range) -> Counts:
    least, largest = whole
    width = (largest - least) / _BINS or 1.0
    bins = (numbers.reshape(-1).astype(np.float64) - least) / width
    return np.bincount(np.minimum(bins.astype(np.int64), _BINS - 1), minlength=_BINS)


class Flow:
    """What flows through a model over samples.

    spreads: of each value, by its number. Raises `InvalidTensor` where a number is not finite.
    """

    def __init__(self, reference: Reference, samples: Samples) -> None:
        self.reference = reference
        self.samples = samples
        self.spreads = _spreads(reference, samples)

    @property
    def ranges(self) -> dict[int, Range]:
        """The whole range of each value."""
        return {number: spread.whole for number, spread in self.spreads.items()}

    @cached_property
    def levels(self) -> list[Numbers]:
        """The numbers that each array of samples has, and 0, in order."""
        return [np.unique(np.append(array, 0)).astype(np.float64) for array in self.samples]

    @cached_property
    def _gathered(self) -> tuple[dict[int, Counts], dict[int, Numbers]]:
        return _gathered(self.reference, self.samples, self.ranges)

    @property
    def histograms(self) -> dict[int, Counts]:
        """How many numbers of each value are in each bin of its range."""
        return self._gathered[0]

    @property
    def picks(self) -> dict[int, Numbers]:
        """Some numbers of each value, at the same places of all values of one size."""
        return self._gathered[1]

    def scaled(self, factors: Mapping[int, Numbers]) -> "Flow":
        """Return the same with the channels of some values multiplied by factors."""
        return Flow(self.reference.scaled(factors), self.samples) if factors else self
