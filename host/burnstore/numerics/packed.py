"""Values of 2, 4 or 8 bits in the bytes or 32-bit words of a packed store, least significant bits first."""

import numpy as np
from numpy.typing import NDArray

from burnpack.dtype import count
from burnpack.qfloat import VALUES, QFloat

Codes = NDArray[np.uint8]


def unpacked(data: Codes, scheme: QFloat, shape: tuple[int, ...]) -> Codes:
    """Return the code of each value, of the tensor's shape; a view of `data` where nothing is packed."""
    unit, per_unit = scheme.packing()
    if per_unit == 1:
        return data.reshape(shape)
    outer, extent, inner = _around(scheme, shape)
    units = -(-extent // per_unit)
    codes = data.reshape(outer, units, inner, unit, 1) >> _shifts(scheme) & _mask(scheme)
    codes = codes.reshape(outer, units, inner, per_unit).transpose(0, 1, 3, 2)
    return codes.reshape(outer, units * per_unit, inner)[:, :extent].reshape(shape)


def packed(codes: Codes, scheme: QFloat) -> Codes:
    """Return the bytes of a store that holds the lowest bits of these codes."""
    unit, per_unit = scheme.packing()
    if per_unit == 1:
        return codes.reshape(-1)
    outer, extent, inner = _around(scheme, codes.shape)
    units = -(-extent // per_unit)
    padded = np.zeros((outer, units * per_unit, inner), np.uint8)
    padded[:, :extent] = codes.reshape(outer, extent, inner) & _mask(scheme)
    split = padded.reshape(outer, units, per_unit, inner).transpose(0, 1, 3, 2)
    split = split.reshape(outer, units, inner, unit, per_unit // unit) << _shifts(scheme)
    stored: Codes = np.bitwise_or.reduce(split, axis=-1)
    return stored.reshape(-1)


def _around(scheme: QFloat, shape: tuple[int, ...]) -> tuple[int, int, int]:
    """Return the values before, along and after the packed dimension."""
    if not shape:
        return 1, 1, 1
    axis = len(shape) - 1 - int(scheme.store[1])
    return count(shape[:axis]), shape[axis], count(shape[axis + 1 :])


def _shifts(scheme: QFloat) -> Codes:
    return np.arange(0, 8, VALUES[scheme.value], dtype=np.uint8)


def _mask(scheme: QFloat) -> np.uint8:
    return np.uint8((1 << VALUES[scheme.value]) - 1)
