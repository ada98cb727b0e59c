"""How far the numbers of two tensors are apart, found block by block."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from burnpack.errors import Unsupported
from burnpack.tensor import Tensor
from burnstore.comparing.numbers import give_back
from burnstore.io.files import FORGET_EVERY
from burnstore.numerics.arrays import array_from_tensor

_BLOCK = 1 << 17  # numbers that are compared at once
_CODES = {"Bits8": "u1", "Bits16": "<u2", "F6_E2M3": "u1", "F6_E3M2": "u1", "F4": "u1"}  # compared as bits

Numbers = NDArray[Any]


@dataclass
class Apart:
    """How far two tensors are apart. NaN is the same as NaN, and 0 as -0; else NaN is infinitely far off.

    numbers: how many there are. differing: how many are not the same, or off by more than is allowed.
    largest, mean: the largest difference, and that of all numbers in the mean. place: where the largest is,
    in the first tensor. first, second: the numbers there.
    other_bits: how many are the same and have other bits, as 0 and -0 have, where the dtypes are the same.
    """

    numbers: int
    differing: int = 0
    largest: float = 0.0
    mean: float = 0.0
    place: tuple[int, ...] | None = None
    first: float | str | None = None
    second: float | str | None = None
    other_bits: int = 0


def apart(first: Tensor, second: Tensor, tolerance: float | None, is_turned: bool = False) -> Apart:
    """Compare the numbers of two tensors of one shape, or with `is_turned` of one matrix, transposed.

    tolerance: how far a number may be off, as a part of the larger one, or of 1 where that is less; None: not
    at all. Quantized tensors are the numbers that they stand for. Raises `BurnpackError` for what can't be
    read, or has no numbers.
    """
    ours, theirs = _array(first, second), _array(second, first)
    found, total = Apart(ours.size), 0.0
    for start, one, other in _pairs(ours, theirs.T if is_turned else theirs):
        if one.dtype == other.dtype and (_bits(one) == _bits(other)).all():
            continue
        with np.errstate(all="ignore"):
            off, allowed = _off(one, other, tolerance)
        found.differing += int((off > allowed).sum())
        found.other_bits += _other_bits(one, other, off)
        total += float(off.sum(dtype=np.float64))
        at = int(off.argmax())
        if off[at] > found.largest:
            found.largest = float(off[at])
            found.place = tuple(map(int, np.unravel_index(start + at, ours.shape)))
            found.first, found.second = _plain(one[at]), _plain(other[at])
    found.mean = total / max(1, found.numbers)
    return found


def _array(tensor: Tensor, other: Tensor) -> Numbers:
    """Return a tensor's numbers; of those that numpy has no type for, their bits."""
    if tensor.dtype not in _CODES:
        return array_from_tensor(tensor)
    if tensor.dtype != other.dtype:
        what = "has no numbers that another dtype's could be compared with"
        raise Unsupported(what, tensor.name, expected=tensor.dtype, found=str(other.dtype))
    return np.frombuffer(tensor.data(), _CODES[str(tensor.dtype)])


def _pairs(ours: Numbers, theirs: Numbers) -> Iterator[tuple[int, Numbers, Numbers]]:
    """Yield (number of its first, a block, the other's block); give back mapped memory on the way."""
    if theirs.flags.c_contiguous:
        ours, theirs = ours.reshape(-1, 1), theirs.reshape(-1, 1)
    height, read = max(1, _BLOCK // max(1, ours.shape[1])), 0
    for top in range(0, len(ours) if ours.size else 0, height):
        one, other = (each[top : top + height].reshape(-1) for each in (ours, theirs))
        yield top * ours.shape[1], one, other
        read += one.nbytes + other.nbytes
        if read >= FORGET_EVERY:
            give_back(ours)
            give_back(theirs)
            read = 0


def _bits(numbers: Numbers) -> Numbers:
    """Return numbers as codes, which are compared faster."""
    size = numbers.dtype.itemsize
    return numbers.view(f"u{size}") if size in (1, 2, 4, 8) else numbers.view("u8").reshape(-1, size // 8)


def _off(one: Numbers, other: Numbers, tolerance: float | None) -> tuple[Numbers, Any]:
    """Return how far each number is off, and how far it may be."""
    if one.dtype.kind in "iu" and one.dtype == other.dtype:
        wide = "u8" if one.dtype.kind == "u" else "i8"  # whose difference fits the unsigned type
        high, low = np.maximum(one, other).astype(wide), np.minimum(one, other).astype(wide)
        off = high.view("u8") - low.view("u8")
    else:
        one, other = _wide(one), _wide(other)
        off = np.where((one == other) | (np.isnan(one) & np.isnan(other)), 0.0, np.abs(one - other))
        off[np.isnan(off)] = inf
    if not tolerance:
        return off, 0
    sizes = np.maximum(np.abs(_wide(one)), np.abs(_wide(other)))
    allowed = tolerance * np.maximum(1.0, np.nan_to_num(sizes, nan=0.0, posinf=0.0))
    return off, allowed


def _wide(numbers: Numbers) -> Numbers:
    """Return numbers as the widest floats."""
    if numbers.dtype.kind == "c":
        return numbers.astype(np.complex128)
    return numbers.astype(np.float64)


def _other_bits(one: Numbers, other: Numbers, off: Numbers) -> int:
    if one.dtype != other.dtype:
        return 0
    same = _bits(one) == _bits(other)
    return int(((off == 0) & ~(same if same.ndim == 1 else same.all(axis=1))).sum())


def _plain(number: Any) -> float | str:
    """Return a number for a person: an integer whole, a complex one as text."""
    if np.iscomplexobj(number):
        return str(complex(number))
    return int(number) if np.asarray(number).dtype.kind in "iu" else float(number)
