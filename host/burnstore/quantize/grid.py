"""Inputs whose numbers are whole multiples of a step, as a sensor counts: bytes can say these exactly."""

from collections.abc import Sequence

import numpy as np

from burnstore.graph.network import Network
from burnstore.graph.operations import Numbers
from burnstore.quantize.calibrate import SMALLEST, STEPS, Bytes, is_index, is_read, is_weight

_FEWEST = 3  # numbers that differ, from which a step can be told
_OFF_MOST = 1e-3  # of the step: what binary32 may have added to a multiple


def exact_inputs(network: Network, levels: Sequence[Numbers]) -> dict[int, Bytes]:
    """Return what the bytes of inputs stand for whose samples they can say exactly, by value.

    levels: see `Flow`.
    """
    found = {}
    for end, numbers in zip(network.inputs, levels, strict=False):
        is_other = any(is_read(network, end.value, so) for so in (is_index, is_weight))
        known = None if is_other else _exact(numbers)
        if known is not None:
            found[end.value] = known
    return found


def _exact(levels: Numbers) -> Bytes | None:
    """Return the bytes that say all of these numbers exactly, or None. They reach at least as far."""
    if not _FEWEST <= len(levels) <= STEPS + 1:
        return None
    step = float(np.diff(levels).min())
    if step < STEPS * SMALLEST:
        return None  # no scale can be so small
    counts = np.rint(levels / step)
    if counts[-1] - counts[0] > STEPS:
        return None
    step = float(levels @ counts / (counts @ counts))  # the least squares of what rounding has added
    if np.abs(levels - counts * step).max() > _OFF_MOST * step:
        return None
    parts = STEPS // int(counts[-1] - counts[0])
    return Bytes(float(np.float32(step / parts)), int(-counts[0]) * parts)
