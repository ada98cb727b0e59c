"""By how much a quantized network is off: a quick look at some samples."""

import numpy as np

from burnstore.graph.operations import Convolution, Linear, Numbers
from burnstore.quantize.measure import Run, measure
from burnstore.quantize.quantized import Quantized
from burnstore.quantize.samples import Samples

_RUNS_MOST, _RUNS_LEAST = 32, 8
_WORK = 1 << 27  # products in all runs


def loss(quantized: Quantized, samples: Samples) -> float:
    """Return the root of the mean square of how far the answers' numbers are off."""
    return measure(quantized, _some(quantized, samples)).rmse


def drift(quantized: Quantized, operation: Linear | Convolution, samples: Samples) -> Numbers:
    """Return by how much the mean of each channel is off that a Linear or a convolution makes."""
    value, some = operation.output, _some(quantized, samples)
    place = [each.output for each in quantized.network.operations].index(value)
    run, total, count = Run(quantized, len(some)), np.zeros(operation.count), 0
    for chosen, values in quantized.reference.values(some):
        for number in range(chosen.stop - chosen.start):
            output = list(run.outputs(values, number))[place]
            followed = quantized.network.followed(value)
            total += quantized.known[value].read(output) - values[followed][number]
            count += 1
    rows = total.reshape(len(operation.bias), -1).T
    if isinstance(operation, Linear):
        rows = total.reshape(operation.rows, -1)
    found: Numbers = rows.mean(0) / count
    return found


def _some(quantized: Quantized, samples: Samples) -> Samples:
    """Return as many samples as are quickly run: of a stream the first ones."""
    work = max(1, sum(each.macs for each in quantized.network.operations))
    most = max(_RUNS_LEAST, min(_RUNS_MOST, _WORK // work))
    if quantized.reference.is_stream(samples):
        return tuple(array[:most] for array in samples)
    return tuple(array[:: -(-len(array) // most)] for array in samples)
