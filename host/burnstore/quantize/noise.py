"""Numbers to compare with, where there are no samples."""

import numpy as np

from burnstore.quantize.quantized import Quantized
from burnstore.quantize.samples import Samples

_COUNT = 64


def noise(quantized: Quantized) -> Samples:
    """Return inputs of a model, the same each time: what all bytes stand for, with equal chances."""
    random = np.random.default_rng(0)
    return tuple(
        quantized.known[end.value].numbers(random.integers(0, 256, (_COUNT, *end.shape))).astype(np.float32)
        for end in quantized.network.inputs
    )
