"""Transposing and casting large tensors with numpy, in blocks: nothing but the result is large."""

import mmap
from collections.abc import Iterator
from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from burnpack.adapters.cast import too_large
from burnstore.io.files import Buffer

_TILE = 256  # rows and columns that are moved at once: they stay in the processor's cache
_BESIDE = 16  # more columns in the tile's memory, so that its rows do not compete for one place in the cache
_BLOCK = 1 << 18  # numbers that are cast at once
_RELEASE = 8 << 20  # bytes of a mapped file that may stay in memory before they are given back

_NUMPY: dict[str, Any] = {
    "F64": np.dtype("<f8"),
    "F32": np.dtype("<f4"),
    "Flex32": np.dtype("<f4"),
    "F16": np.dtype("<f2"),
    "BF16": np.dtype(ml_dtypes.bfloat16),
}
# dtype: what holds its codes, the quiet NaN's code
_CODES = {
    "F64": ("<u8", 0x7FF8 << 48),
    "F32": ("<u4", 0x7FC0 << 16),
    "F16": ("<u2", 0x7E00),
    "BF16": ("<u2", 0x7FC0),
}
_CODES["Flex32"] = _CODES["F32"]


def transposed(data: Buffer, rows: int, columns: int, size: int) -> memoryview:
    """Return a new buffer with a row-major matrix of `size`-byte elements, transposed."""
    if not rows * columns:
        return memoryview(b"")  # whose extents numpy may not hold
    source = np.frombuffer(data, f"V{size}").reshape(rows, columns)
    result = np.empty((columns, rows), source.dtype)
    tile = np.empty((_TILE, _TILE + _BESIDE), source.dtype)
    for top in _released(data, range(0, rows, _TILE), columns * size * _TILE):
        height = min(_TILE, rows - top)
        for left in range(0, columns, _TILE):
            width = min(_TILE, columns - left)
            part = tile[:height, :width]
            part[...] = source[top : top + height, left : left + width]
            result[left : left + width, top : top + height] = part.T
    return result.reshape(-1).view(np.uint8).data


def cast(data: Buffer, source: str, target: str, saturate: bool, name: str) -> memoryview:
    """Return a new buffer with the floats in `data` as `target`: see `burnpack.adapters.cast`."""
    numbers = np.frombuffer(data, _NUMPY[source])
    result = np.empty(len(numbers), _NUMPY[target])
    step = _BLOCK * numbers.itemsize
    for start in _released(data, range(0, len(numbers), _BLOCK), step):
        block = numbers[start : start + _BLOCK]
        result[start : start + _BLOCK] = _cast_block(block, target, saturate, name)
    return result.view(np.uint8).data


@np.errstate(over="ignore", invalid="ignore")  # large numbers and signalling NaNs are dealt with below
def _cast_block(numbers: NDArray[Any], target: str, saturate: bool, name: str) -> NDArray[Any]:
    through = numbers.astype("<f4") if target == "BF16" else numbers
    found: NDArray[Any] = through.astype(_NUMPY[target])
    form, quiet = _CODES[target]
    finite = np.isfinite(found)
    if not finite.all():
        codes = found.view(form)
        codes[np.isnan(numbers)] = quiet
        _settle(numbers, codes, np.isfinite(numbers) & ~finite, target, saturate, name)
    return found


def _settle(
    numbers: NDArray[Any],
    codes: NDArray[Any],
    burst: NDArray[Any],
    target: str,
    saturate: bool,
    name: str,
) -> None:
    """Refuse the finite numbers that became infinite, or make them the largest finite ones."""
    if not burst.any():
        return
    if not saturate:
        raise too_large(float(numbers[burst][0]), target, name)
    codes[burst] -= 1  # the largest finite number lies right before the infinity


def _released(data: Buffer, starts: range, step: int) -> Iterator[int]:
    """Yield the starts of blocks of `step` bytes; give back what a mapped file's blocks take in memory."""
    source = data.obj if isinstance(data, memoryview) else None
    read = 0
    for start in starts:
        yield start
        read += step
        if read >= _RELEASE and isinstance(source, mmap.mmap) and hasattr(mmap, "MADV_DONTNEED"):
            source.madvise(mmap.MADV_DONTNEED)
            read = 0
