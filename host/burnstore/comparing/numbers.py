"""What is unusual in a tensor's numbers, found block by block: nothing large is made beside the tensor."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
from numpy.typing import NDArray

from burnpack.dtype import BOOL, kind
from burnpack.tensor import Tensor
from burnstore.io.files import FORGET_EVERY, forget
from burnstore.numerics.quantized import dequantize

_BLOCK = 1 << 18  # numbers that are looked at at once

# dtype: what holds a number's code, the bits without the sign, those of the exponent
_WIDE: dict[str, tuple[str, int, int]] = {
    "F64": ("<u8", (1 << 63) - 1, 0x7FF << 52),
    "F32": ("<u4", (1 << 31) - 1, 0xFF << 23),
    "F16": ("<u2", (1 << 15) - 1, 0x1F << 10),
    "BF16": ("<u2", (1 << 15) - 1, 0xFF << 7),
}
# The same form as: a complex number is two.
_AS = {"Flex32": "F32", "C32": "F16", "C64": "F32", "C128": "F64"}
_PAIRS = ("C32", "C64", "C128")
_NARROW: dict[str, Any] = {
    "F8_E5M2": ml_dtypes.float8_e5m2,
    "F8_E4M3": ml_dtypes.float8_e4m3fn,
    "F8_E5M2FNUZ": ml_dtypes.float8_e5m2fnuz,
    "F8_E4M3FNUZ": ml_dtypes.float8_e4m3fnuz,
    "F8_E8M0": ml_dtypes.float8_e8m0fnu,
}


@dataclass
class Unusual:
    """How many of a tensor's numbers are unusual.

    nans, infinities, denormals: numbers. not_bools: bytes of a Bool that are neither 0 nor 1.
    zero_rows, zero_columns: of a matrix, or of planes behind a first extent, those that are all zeros.
    rows, columns: how many there are; 0 where that is not looked at. is_constant: all numbers are one.
    """

    nans: int = 0
    infinities: int = 0
    denormals: int = 0
    not_bools: int = 0
    zero_rows: int = 0
    zero_columns: int = 0
    rows: int = 0
    columns: int = 0
    is_constant: bool = False


def unusual(tensor: Tensor) -> Unusual:
    """Return what is unusual in a tensor's numbers; of a quantized one, in those that it stands for."""
    found = Unusual()
    if 0 in tensor.shape:
        found.is_constant = True
        return found
    if not isinstance(tensor.dtype, str):
        _look(dequantize(tensor).reshape(-1).view("<u4"), "F32", tensor.shape, found)
        return found
    data = tensor.data()
    dtype = _AS.get(tensor.dtype, tensor.dtype)
    if dtype in _WIDE:
        codes = np.frombuffer(data, _WIDE[dtype][0])
        shape = (*tensor.shape, 2) if tensor.dtype in _PAIRS else tensor.shape
        _look(codes, dtype, shape, found)
    else:
        _look_at_codes(np.frombuffer(data, np.uint8), dtype, found)
    forget(data)
    return found


def _look(codes: NDArray[Any], dtype: str, shape: tuple[int, ...], found: Unusual) -> None:
    """Look at floats by their codes."""
    form, unsigned, exponent = _WIDE[dtype]
    kind_of = np.dtype(form).type
    smallest = kind_of(exponent & -exponent)  # the code of the smallest normal number
    matrix = codes.reshape(shape[0] if len(shape) > 1 else 1, -1)
    of_rows, of_columns = (np.zeros(extent, form) for extent in matrix.shape)  # all their bits together
    found.is_constant = True
    for rows, columns in _blocks(matrix):
        block = matrix[rows, columns]
        found.is_constant = found.is_constant and bool((block == codes[0]).all())
        sizes = block & kind_of(unsigned)
        of_rows[rows] |= np.bitwise_or.reduce(sizes, axis=1)
        if len(shape) == 2:
            of_columns[columns] |= np.bitwise_or.reduce(sizes, axis=0)
        if sizes.max() >= exponent:
            found.infinities += int((sizes == exponent).sum())
            found.nans += int((sizes > exponent).sum())
        sizes -= kind_of(1)  # zeros become the largest code
        if sizes.min() < smallest - 1:
            found.denormals += int((sizes < smallest - 1).sum())
    if len(shape) > 1:
        found.rows, found.zero_rows = len(of_rows), int((of_rows == 0).sum())
    if len(shape) == 2:
        found.columns, found.zero_columns = len(of_columns), int((of_columns == 0).sum())


def _blocks(matrix: NDArray[Any]) -> Iterator[tuple[slice, slice]]:
    """Yield the places of blocks; give back the memory of a mapped file on the way."""
    height, width = max(1, _BLOCK // matrix.shape[1]), min(_BLOCK, matrix.shape[1])
    read = 0
    for top in range(0, matrix.shape[0], height):
        for left in range(0, matrix.shape[1], width):
            yield slice(top, top + height), slice(left, left + width)
            read += height * width * matrix.itemsize
            if read >= FORGET_EVERY:
                give_back(matrix)
                read = 0


def give_back(array: NDArray[Any]) -> None:
    """Give back the memory of a mapped file that an array is a view of."""
    base: Any = array
    while isinstance(base, np.ndarray):
        base = base.base
    if isinstance(base, memoryview):
        forget(base)


def _look_at_codes(codes: NDArray[np.uint8], dtype: str, found: Unusual) -> None:
    """Look at numbers of a byte, or at any bytes, by how often each is there."""
    counts = np.zeros(256, np.int64)
    for start in range(0, codes.size, _BLOCK):
        counts += np.bincount(codes[start : start + _BLOCK], minlength=256)
    found.is_constant = int((counts > 0).sum()) == 1
    if kind(dtype) == BOOL and dtype != "Bool(U32)":
        found.not_bools = int(counts[2:].sum())
    if dtype in _NARROW:
        numbers = np.arange(256, dtype=np.uint8).view(_NARROW[dtype]).astype(np.float32)
        smallest = float(ml_dtypes.finfo(_NARROW[dtype]).smallest_normal)  # type: ignore[no-untyped-call]
        found.nans = int(counts[np.isnan(numbers)].sum())
        found.infinities = int(counts[np.isinf(numbers)].sum())
        found.denormals = int(counts[(numbers != 0) & (np.abs(numbers) < smallest)].sum())
