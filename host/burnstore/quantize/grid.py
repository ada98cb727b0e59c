"""Inputs whose numbers are whole multiples of a step, as a sensor counts: bytes can say these exactly."""

import numpy as np
from numpy.typing import NDArray

from burnstore.graph.network import Network
from burnstore.quantize.calibrate import STEPS, Bytes, is_index, is_read, is_weight
from burnstore.quantize.samples import Samples

_FEWEST = 3  # numbers that differ, from which a step can be told
_OFF_MOST = 1e-3  # of the step: what binary32 may have added to a multiple


def exact_inputs(network: Network, samples: Samples) -> dict[int, Bytes]:
    """Return what the bytes of inputs stand for whose samples they can say exactly, by value."""
    found = {}
    for end, numbers in zip(network.inputs, samples, strict=False):
        is_other = any(is_read(network, end.value, so) for so in (is_index, is_weight))
        known = None if is_other else _exact(numbers)
        if known is not None:
            found[end.value] = known
    return found


def _exact(numbers: NDArray[np.float32]) -> Bytes | None:
    """Return the bytes that say all of these numbers exactly, or None. They reach at least as far."""
    levels = np.unique(numbers).astype(np.float64)
    levels = np.unique(np.append(levels, 0.0))
    if not _FEWEST <= len(levels) <= STEPS + 1:
        return None
    step = float(np.diff(levels).min())
    counts = np.rint(levels / step)
    if counts[-1] - counts[0] > STEPS:
        return None
    step = float(levels @ counts / (counts @ counts))  # the least squares of what rounding has added
    if np.abs(levels - counts * step).max() > _OFF_MOST * step:
        return None
    parts = STEPS // int(counts[-1] - counts[0])
    return Bytes(float(np.float32(step / parts)), int(-counts[0]) * parts)
