"""The range of each value's numbers, from samples.

It lies between the least and the largest number. With a percentile p, p percent of the numbers lie below its
upper end and p percent above its lower.
"""

from collections.abc import Collection

import numpy as np
from numpy.typing import NDArray

from burnstore.quantize.reference import Reference
from burnstore.quantize.samples import Samples

Range = tuple[float, float]

_BINS = 1 << 14  # of a histogram: 64 to a step, where the range is the whole


def ranges(
    reference: Reference, samples: Samples, percentile: float | None, answers: Collection[int]
) -> dict[int, Range]:
    """Return the range of each value's numbers over the samples, by the value's number.

    answers: the values that the model answers with; of these it is the whole range.
    """
    found = _extremes(reference, samples)
    if percentile is None:
        return found
    cut = _percentiles(reference, samples, percentile, found)
    return {**cut, **{number: found[number] for number in answers if number in found}}


def _extremes(reference: Reference, samples: Samples) -> dict[int, Range]:
    found: dict[int, Range] = {}
    for _, values in reference.values(samples):
        for number, numbers in values.items():
            least, largest = found.get(number, (0.0, 0.0))
            found[number] = (min(least, float(numbers.min())), max(largest, float(numbers.max())))
    return found


def _percentiles(
    reference: Reference, samples: Samples, percentile: float, whole: dict[int, Range]
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
