"""Weights as lazy tensors: each function returns None where the parts do not belong together."""

import math

from burnpack.dtype import BOOL, kind
from burnpack.tensor import Tensor

_COMPUTED = ("F64", "F32", "F16", "BF16")


def weight_norm(name: str, magnitude: Tensor, direction: Tensor) -> Tensor | None:
    """Return magnitude · direction / ‖direction‖; which dimensions the norm is over shows in the shapes.

    magnitude: one element, or of the direction's rank with one extent that is not 1, at most.
    """
    shape = direction.shape
    if not _are_computed(magnitude, direction) or not shape or 0 in shape:
        return None
    kept = [axis for axis, extent in enumerate(magnitude.shape) if extent != 1]
    if magnitude.shape and (len(magnitude.shape) != len(shape) or len(kept) > 1):
        return None
    if any(magnitude.shape[axis] != shape[axis] for axis in kept):
        return None

    def data() -> memoryview:
        from burnstore.pytorch.reparametrized import (
            formulas,  # and with it numpy, when there is something to compute
        )

        return formulas.weight_norm(dtype, magnitude, direction, kept)

    dtype = _common(magnitude, direction)
    return Tensor(name, dtype, shape, data)


def spectral_norm(name: str, weight: Tensor, left: Tensor, right: Tensor) -> Tensor | None:
    """Return weight / (left · weight as a matrix · right). See `dimensions`."""
    if not _are_computed(weight, left, right) or not dimensions(weight, left, right):
        return None

    def data() -> memoryview:
        from burnstore.pytorch.reparametrized import formulas

        return formulas.spectral_norm(weight, left, right, dimensions(weight, left, right))

    return Tensor(name, weight.dtype, weight.shape, data)


def dimensions(weight: Tensor, left: Tensor, right: Tensor) -> list[int]:
    """Return the dimensions of a weight that may be the rows of the matrix that the vectors are for."""
    if len(left.shape) != 1 or len(right.shape) != 1 or 0 in weight.shape:
        return []
    rows, columns = left.shape[0], right.shape[0]
    if rows * columns != math.prod(weight.shape):
        return []
    return [axis for axis, extent in enumerate(weight.shape) if extent == rows]


def pruned(name: str, weight: Tensor, mask: Tensor) -> Tensor | None:
    """Return weight · mask."""
    numeric = kind(mask.dtype) == BOOL or mask.dtype in _COMPUTED
    if not _are_computed(weight) or not numeric or weight.shape != mask.shape:
        return None

    def data() -> memoryview:
        from burnstore.pytorch.reparametrized import formulas

        return formulas.pruned(dtype, weight, mask)

    dtype = str(weight.dtype) if kind(mask.dtype) == BOOL else _common(weight, mask)
    return Tensor(name, dtype, weight.shape, data)


def _are_computed(*tensors: Tensor) -> bool:
    return all(tensor.dtype in _COMPUTED for tensor in tensors)


def _common(first: Tensor, second: Tensor) -> str:
    """Return the dtype that PyTorch gives what it computes of both."""
    dtypes = {str(first.dtype), str(second.dtype)}
    if len(dtypes) == 1:
        return dtypes.pop()
    return "F64" if "F64" in dtypes else "F32"
