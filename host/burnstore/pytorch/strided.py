"""Tensors whose bytes are not in their record as they should be: strided, big-endian, conjugate or negative.

This is all of reading checkpoints that needs numpy, so it is imported when there is such a tensor.
"""

from collections.abc import Iterator
from copy import copy
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from burnpack.errors import LimitExceeded, Unsupported
from burnstore.io.files import FORGET_EVERY, forget
from burnstore.pytorch.layout import Entry, component
from burnstore.pytorch.storage import SIZES

# How an element of each size moves; no arithmetic is done with it.
_MOVED = {1: "u1", 2: "u2", 4: "u4", 8: "u8", 16: "c16"}
_SIGN = 0x80  # in the last byte of a little-endian float
_PIECE = 16 << 20  # bytes of a tensor that are put in order at once, where it is asked for in pieces
_BLOCK = 1 << 20  # bytes of a record that are gathered at once: they stay in the processor's cache

Array = NDArray[Any]


def pieces(entry: Entry) -> Iterator[memoryview]:
    """Yield the tensor's bytes in buffers, one after the other: see `fill`."""
    for part in _parts(entry.view.shape, entry.view.stride, 0, SIZES[entry.dtype]):
        yield gathered(_cut(entry, *part))


def _parts(
    shape: tuple[int, ...], stride: tuple[int, ...], offset: int, size: int
) -> Iterator[tuple[tuple[int, ...], tuple[int, ...], int]]:
    """Yield shape, strides and offset of parts of a tensor, row by row, each of a piece at most.

    size: of an element, in bytes. The offset is in elements.
    """
    if prod(shape) * size <= _PIECE:
        yield shape, stride, offset
        return
    row = prod(shape[1:]) * size
    step = max(1, _PIECE // row)
    for first in range(0, shape[0], step):
        count = min(step, shape[0] - first)
        start = offset + first * stride[0]
        if row > _PIECE:
            yield from _parts(shape[1:], stride[1:], start, size)
        else:
            yield (count, *shape[1:]), stride, start


def _cut(entry: Entry, shape: tuple[int, ...], stride: tuple[int, ...], offset: int) -> Entry:
    """Return a part of a tensor as one."""
    view, nbytes = copy(entry.view), prod(shape) * SIZES[entry.dtype]
    view.shape, view.stride, view.offset = shape, stride, view.offset + offset
    return Entry(entry.name, view, entry.record, nbytes, False, entry.swapped)


def gathered(entry: Entry) -> memoryview:
    """Return a new buffer with the tensor's bytes: see `fill`."""
    try:
        buffer = np.empty(entry.nbytes, np.uint8)
    except MemoryError:
        raise LimitExceeded("not enough memory for the tensor", entry.name, found=entry.nbytes) from None
    fill(entry, buffer.data)
    return buffer.data


def fill(entry: Entry, buffer: memoryview) -> None:
    """Write the tensor's bytes into `buffer`, which is as long as they are, little-endian and row by row."""
    if not entry.nbytes:
        return
    view, size = entry.view, SIZES[entry.dtype]
    wide = [(extent, stride) for extent, stride in zip(view.shape, view.stride, strict=True) if extent != 1]
    strides = [stride * size for _, stride in wide]
    try:
        target = np.frombuffer(buffer, _MOVED[size]).reshape([extent for extent, _ in wide])
    except ValueError as error:  # more dimensions than NumPy has
        raise Unsupported(f"the tensor can't be put in order: {error}", entry.name) from error
    _gather(entry, target, strides)
    if entry.swapped:
        np.frombuffer(buffer, _MOVED[component(entry.dtype)]).byteswap(inplace=True)
    _apply_flags(entry, buffer)


def _gather(entry: Entry, target: Array, strides: list[int]) -> None:
    """Copy the elements, block by block, and let go of the mapped file's blocks meanwhile.

    strides: of the elements in the record, in bytes.
    """
    held = 0
    for block, start, span in _blocks(target, strides, entry.start):
        source = entry.record.read(start, start + span)
        np.copyto(block, np.ndarray(block.shape, block.dtype, source, 0, strides))
        held += span
        if held >= FORGET_EVERY:
            forget(source)
            held = 0


def _blocks(target: Array, strides: list[int], start: int) -> Iterator[tuple[Array, int, int]]:
    """Yield the parts of a tensor, each with its start and span in the record, in bytes.

    The parts come in the record's order, and each spans a block at most; but a tensor whose parts would
    overlap is left whole.
    """
    reaches = [(extent - 1) * stride for extent, stride in zip(target.shape, strides, strict=True)]
    span = sum(reaches) + target.itemsize
    if span <= _BLOCK or not _is_nested(reaches, strides, target.itemsize):
        yield target, start, span
        return
    axis = max(range(len(reaches)), key=reaches.__getitem__)
    half = target.shape[axis] // 2
    before = (slice(None),) * axis
    yield from _blocks(target[(*before, slice(half))], strides, start)
    yield from _blocks(target[(*before, slice(half, None))], strides, start + half * strides[axis])


def _is_nested(reaches: list[int], strides: list[int], size: int) -> bool:
    """Tell whether no two elements share bytes, but for those of expanded dimensions: whether each stride
    leads past all that the smaller ones reach."""
    end = size
    for stride, reach in sorted(zip(strides, reaches, strict=True)):
        if reach and stride < end:
            return False
        end += reach
    return True


def _apply_flags(entry: Entry, buffer: memoryview) -> None:
    """Change signs, which is all that conjugating and negating a float do."""
    size, part = SIZES[entry.dtype], component(entry.dtype)
    elements = np.frombuffer(buffer, np.uint8).reshape(-1, size)
    if entry.view.negative:
        elements[:, part - 1 :: part] ^= _SIGN
    if entry.view.conjugate and size != part:
        elements[:, size - 1] ^= _SIGN
