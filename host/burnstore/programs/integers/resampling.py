"""Planes of other sizes: see `burnrt.kernels.int8`."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from burnrt.words import TAP_BITS
from burnstore.graph.operations import Resample
from burnstore.programs.integers.step import Made, Maker, Step
from burnstore.quantize.rescale import word

_ONE = 256  # what a line's weights add up to
_PAD = 0  # of a place that the step does not read


def _resample(step: Step) -> Made:
    operation: Resample = step.operation
    factor = step.given.scale / (step.made.scale * _ONE * _ONE)
    taps = [each for lines in operation.lines for line in lines for each in _words(line)]
    constants = [-step.given.zero_point * _ONE * _ONE, word(factor), *taps]
    (work,) = step.memory.work[operation.output]
    rows, columns = operation.lines
    sizes = operation.channels, *operation.size, len(rows), len(columns), len(rows[0]), len(columns[0])
    return Made("resample", step.words(1, work, _PAD, *sizes), None, np.array(constants, np.int32))


def _words(line: list[tuple[int, float]]) -> Iterator[int]:
    """Yield the words of what a line is made of. The largest weight takes what rounding leaves."""
    weights: NDArray[np.int64] = np.rint([weight * _ONE for _, weight in line]).astype(np.int64)
    weights[weights.argmax()] += _ONE - weights.sum()
    for (number, _), weight in zip(line, weights.tolist(), strict=True):
        yield number << TAP_BITS | weight


RESAMPLING: dict[type, Maker] = {Resample: _resample}
