"""The arithmetic of reparametrized weights. Sums are in double precision, and no copy of them is made."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from burnpack.tensor import Tensor
from burnstore.numerics.arrays import array_from_tensor, numpy_dtype, tensor_from_array

_AGREES = 0.9  # cosine of the angle at which vectors belong to a matrix: they lag a training step behind it

Numbers = NDArray[Any]


def weight_norm(dtype: str, magnitude: Tensor, direction: Tensor, kept: Sequence[int]) -> memoryview:
    """Return magnitude · direction / ‖direction‖ in bytes; the norm is over all dimensions but `kept`."""
    numbers, factor = _wide(direction), _wide(magnitude)
    axes = list(range(numbers.ndim))
    squares = np.einsum(numbers, axes, numbers, axes, list(kept), dtype=np.float64)
    extents = [extent if axis in kept else 1 for axis, extent in enumerate(numbers.shape)]
    with np.errstate(all="ignore"):
        factor = factor.astype(np.float64) / np.sqrt(squares).reshape(extents)
        return _bytes(numbers * factor.astype(numbers.dtype), dtype)


def spectral_norm(weight: Tensor, left: Tensor, right: Tensor, dimensions: Sequence[int]) -> memoryview:
    """Return weight / sigma in bytes. dimensions: those that may be the matrix's rows."""
    numbers, rows, columns = _wide(weight), _wide(left), _wide(right)
    with np.errstate(all="ignore"):
        products = [_product(numbers, columns, axis) for axis in dimensions]
        sigma = float(rows.astype(np.float64) @ products[_best(products, rows)])
        return _bytes(numbers / numbers.dtype.type(sigma), str(weight.dtype))


def pruned(dtype: str, weight: Tensor, mask: Tensor) -> memoryview:
    """Return weight · mask in bytes."""
    with np.errstate(all="ignore"):
        return _bytes(_wide(weight) * _wide(mask), dtype)


def _product(weight: Numbers, right: Numbers, axis: int) -> Numbers:
    """Return the weight as a matrix, whose rows are dimension `axis`, times a vector."""
    axes = list(range(weight.ndim))
    others = axes[:axis] + axes[axis + 1 :]
    vector = right.reshape([weight.shape[other] for other in others])
    return np.asarray(np.einsum(weight, axes, vector, others, [axis], dtype=np.float64))


def _best(products: Sequence[Numbers], left: Numbers) -> int:
    """Return which product is parallel to `left`, which power iterations made of one; the first, if none."""
    lengths = [float(np.linalg.norm(product) * np.linalg.norm(left)) for product in products]
    cosines = [
        float(left @ product) / length if length else 0.0
        for product, length in zip(products, lengths, strict=True)
    ]
    best = max(range(len(cosines)), key=lambda number: cosines[number])
    return best if cosines[best] >= _AGREES else 0


def _wide(tensor: Tensor) -> Numbers:
    array = array_from_tensor(tensor)
    return array if array.dtype.itemsize >= 4 else array.astype(np.float32)


def _bytes(numbers: Numbers, dtype: str) -> memoryview:
    array = numbers.astype(numpy_dtype(dtype), copy=False)
    return memoryview(tensor_from_array("", array).data())
