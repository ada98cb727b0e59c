"""The bytes of a tensor: a slice of its record where they are as they should be, and else put in order."""

import numpy as np

from burnpack.dtype import COMPLEX, kind
from burnpack.errors import LimitExceeded, Unsupported
from burnstore.pytorch.layout import Entry
from burnstore.pytorch.storage import SIZES

# How an element of each size moves; no arithmetic is done with it.
_MOVED = {1: "u1", 2: "u2", 4: "u4", 8: "u8", 16: "c16"}
_SIGN = 0x80  # in the last byte of a little-endian float


def is_slice(entry: Entry, swapped: bool) -> bool:
    """Tell whether the tensor's bytes are in its record as they should be."""
    flags = entry.view.conjugate or entry.view.negative
    return entry.contiguous and not flags and not (swapped and _component(entry.dtype) > 1)


def read(entry: Entry, swapped: bool) -> memoryview:
    """Return the tensor's bytes, little-endian and row by row.

    swapped: whether the record is big-endian.
    """
    if is_slice(entry, swapped):
        return entry.record.view()[entry.start : entry.start + entry.nbytes]
    try:
        buffer = np.empty(entry.nbytes, np.uint8)
    except MemoryError:
        raise LimitExceeded("not enough memory for the tensor", entry.name, found=entry.nbytes) from None
    target = memoryview(buffer.data)
    fill(entry, swapped, target)
    return target


def fill(entry: Entry, swapped: bool, buffer: memoryview) -> None:
    """Write the tensor's bytes into `buffer`, which is as long as they are."""
    if not entry.nbytes:
        return
    view, size = entry.view, SIZES[entry.dtype]
    moved = np.dtype(_MOVED[size])
    wide = [(extent, stride) for extent, stride in zip(view.shape, view.stride, strict=True) if extent != 1]
    shape = [extent for extent, _ in wide]
    strides = [stride * size for _, stride in wide]
    try:
        source = np.ndarray(shape, moved, entry.record.view(), entry.start, strides)
    except ValueError as error:  # more dimensions than NumPy has
        raise Unsupported(f"the tensor can't be put in order: {error}", entry.name) from error
    np.copyto(np.frombuffer(buffer, moved).reshape(shape), source)
    if swapped:
        np.frombuffer(buffer, _MOVED[_component(entry.dtype)]).byteswap(inplace=True)
    _apply_flags(entry, buffer)


def _component(dtype: str) -> int:
    """Return the bytes that are swapped together: one number's."""
    size = SIZES[dtype]
    return size // 2 if kind(dtype) == COMPLEX else size


def _apply_flags(entry: Entry, buffer: memoryview) -> None:
    """Change signs, which is all that conjugating and negating a float do."""
    size, component = SIZES[entry.dtype], _component(entry.dtype)
    elements = np.frombuffer(buffer, np.uint8).reshape(-1, size)
    if entry.view.negative:
        elements[:, component - 1 :: component] ^= _SIGN
    if entry.view.conjugate and size != component:
        elements[:, size - 1] ^= _SIGN
