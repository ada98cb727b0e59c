"""The integers of a program's inputs and outputs, as they lie in its arena: from numbers and back."""

import numpy as np
from numpy.typing import NDArray

from burnrt.model import End
from burnrt.numbers import dequantized, place_indices, quantize

Floats = NDArray[np.float32]


def integers_of(end: End, numbers: Floats) -> bytearray:
    """Return the bytes of the nearest integers. end: not of floats."""
    found = bytearray(end.width * numbers.size)
    if end.width > 1:
        place_indices(numbers.reshape(-1), found)
    else:
        quantize(numbers.reshape(-1), float(end.scale or 0), end.zero, found)
    return found


def numbers_of(end: End, found: bytes | bytearray) -> Floats:
    """Return the numbers that integers stand for, in the shape of the input or output."""
    if end.width > 1:
        return np.frombuffer(found, "<u2").astype(np.float32).reshape(end.shape)
    return np.asarray(dequantized(found, float(end.scale or 0), end.zero), np.float32).reshape(end.shape)
