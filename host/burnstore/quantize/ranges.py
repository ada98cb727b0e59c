"""The range that the bytes of each value stand for, from what flows through a model.

minmax      from the least to the largest number
percentile  p percent of the numbers lie below its upper end and p percent above its lower
mse         the one with the least mean square error: what lies beyond is cut, what lies within is rounded;
            where tables read the value, the error of what they make: see `behind`
"""

from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from burnstore.graph.network import Network
from burnstore.graph.operations import Numbers
from burnstore.quantize import behind
from burnstore.quantize.calibrate import bytes_of
from burnstore.quantize.statistics import Counts, Flow, Range

_SHARES = np.linspace(1, 0.25, 31).tolist()  # of an end of the whole range: the ends that are tried
_CELLS = 1 << 12  # in which numbers are taken for equal: 16 to a step, where the range is the whole


def percentiles(
    counts: Mapping[int, Counts], whole: Mapping[int, Range], percentile: float
) -> dict[int, Range]:
    """Return the ranges that leave out the rarest numbers.

    counts: of each value, how many numbers are in each bin of its whole range.
    """
    return {number: _ends(found, percentile, whole[number]) for number, found in counts.items()}


def _ends(counts: Counts, percentile: float, whole: Range) -> Range:
    """Return the outer edges of the bins that the ends of the range lie in."""
    edges = np.linspace(*whole, len(counts) + 1)
    wanted = counts.sum() * percentile / 100
    lower, upper = (np.searchsorted(np.cumsum(found), wanted) for found in (counts[::-1], counts))
    return float(edges[len(counts) - 1 - lower]), float(edges[upper + 1])


def least_error(network: Network, flow: Flow) -> dict[int, Range]:
    """Return the ranges with the least mean square error, of numbers cut to what their makers let through."""
    found = {}
    for number, each in flow.histograms.items():
        maker = network.maker(number)
        bounds = (-np.inf, np.inf) if maker is None else (maker.low, maker.high)
        made = behind.paths(network, number, flow.picks)
        if made:
            found[number] = behind.with_least_error(made, bounds)
            continue
        numbers = np.clip(_centers(flow.ranges[number]), *bounds)
        merged = each.reshape(_CELLS, -1).sum(1)
        found[number] = _with_least_error(numbers[merged > 0], merged[merged > 0])
    return found


def _centers(whole: Range) -> Numbers:
    edges = np.linspace(*whole, _CELLS + 1)
    found: Numbers = (edges[:-1] + edges[1:]) / 2
    found[0], found[-1] = whole  # what lies there reaches this far
    return found


def _with_least_error(numbers: Numbers, counts: NDArray[np.int64]) -> Range:
    """Return the range for numbers that occur so often. Its ends are tried in turns."""
    whole = (min(0.0, float(numbers.min())), max(0.0, float(numbers.max())))
    best = whole
    for place in (1, 0, 1) if min(whole) < 0 < max(whole) else (1,) if whole[1] else (0,):
        tried = [(best[0], share * whole[1]) if place else (share * whole[0], best[1]) for share in _SHARES]
        best = min(tried, key=lambda each: _error(numbers, counts, each))
    return best


def _error(numbers: Numbers, counts: NDArray[np.int64], tried: Range) -> float:
    known = bytes_of(*tried)
    found = np.clip(np.rint(numbers / known.scale) + known.zero_point, 0, 255)
    return float(np.dot(counts, np.square(known.numbers(found) - numbers)))
