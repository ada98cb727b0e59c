"""Rows normalised by their own mean and variance: see `burnrt.kernels.int8`."""

from math import ldexp, sqrt

import numpy as np
from numpy.typing import NDArray

from burnpack.errors import InvalidTensor, Unsupported
from burnrt.words import OWN_MEAN
from burnstore.graph.operations import Normalize
from burnstore.programs.integers.step import Made, Maker, Step
from burnstore.quantize.rescale import LARGEST

# As `burnrt.checks.integers.normalizing` has them.
_COUNT_MOST = 16512
_MEAN_BITS, _VARIANCE_BITS = range(15, 6, -1), range(12, -1, -2)
_SHIFTS = range(22, -1, -1)
_GAIN_MOST, _OFFSET_MOST = 1 << 13, 1 << 29

_ONE = 2.0**14.5  # what stands for 1, times the root of a row's count


def _normalize(step: Step) -> Made:
    operation: Normalize = step.operation
    count = operation.count // operation.rows
    pairs = count // operation.inner
    following = pairs if len(operation.gains) > pairs else 0
    if count > _COUNT_MOST:
        what = "more numbers to a mean than there can be"
        raise Unsupported(what, step.name, expected="at most %d" % _COUNT_MOST, found=count)
    center = OWN_MEAN if operation.is_centered else step.given.zero_point
    bits = next(bits for bits in _MEAN_BITS if (255 * count << bits) + count // 2 < LARGEST)
    more, epsilon = _spread(step, count)
    shift, constants = _ends(operation, sqrt(count), step)
    sizes = operation.rows, pairs, operation.inner, following
    return Made("normalize", step.words(center, *sizes, shift, bits, more, epsilon), None, constants)


def _spread(step: Step, count: int) -> tuple[int, int]:
    """Return VARIANCE_BITS and EPSILON: the most bits that leave room for it."""
    operation: Normalize = step.operation
    most = 16257 if operation.is_centered else 255 * 255
    wanted = operation.epsilon * count / step.given.scale**2
    for more in _VARIANCE_BITS:
        epsilon = max(1, round(ldexp(wanted, more)))
        if (most * count << more) + epsilon < LARGEST:
            return more, epsilon
    raise InvalidTensor("its epsilon is too large beside what comes in", step.name, found=operation.epsilon)


def _ends(operation: Normalize, root: float, step: Step) -> tuple[int, NDArray[np.int32]]:
    """Return SHIFT, and gains with offsets in turn."""
    gains = operation.gains * root / (_ONE * step.made.scale)
    offsets = operation.offsets / step.made.scale + step.made.zero_point + 0.5
    for shift in _SHIFTS:
        found = np.rint(np.ldexp(np.stack([gains, offsets], 1), shift))
        if (np.abs(found).max(0) <= (_GAIN_MOST, _OFFSET_MOST)).all():
            return shift, found.astype(np.int32).reshape(-1)
    raise InvalidTensor("its parameters are too large beside what goes out", step.name)


NORMS: dict[type, Maker] = {Normalize: _normalize}
