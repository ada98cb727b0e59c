"""Dimensions, as PyTorch's functions are told them."""

from burnpack.dtype import count
from burnrt.functional.wholes import dimension, dimensions

if False:  # for type checkers
    from typing import Any

    from burnpack.types import Shape
    from burnrt.nn.layer import Layer
    from burnrt.value import Value


def places(dim: "Any", rank: int) -> "list[int]":
    """Return the dimensions that an argument means: one, several, or all, where it is None or ()."""
    if dim is None or dim in ((), []):
        return list(range(rank))
    found = dimensions(dim, rank or 1)  # a single number counts as a row of one
    return found if rank else []


def around(shape: "Shape", dim: "Any") -> "Shape":
    """Return how many numbers are before, along and behind a dimension."""
    at = dimension(dim, len(shape) or 1)
    return count(shape[:at]), count(shape[at : at + 1]), count(shape[at + 1 :])


def left(shape: "Shape", dims: "list[int]", keepdim: bool) -> "Shape":
    """Return the shape that is left when dimensions are reduced, to 1 where `keepdim` says so."""
    extents = [1 if axis in dims else extent for axis, extent in enumerate(shape)]
    return tuple([extent for axis, extent in enumerate(extents) if keepdim or axis not in dims])


def runs(shape: "Shape", dims: "list[int]") -> "list[tuple[int, bool]]":
    """Return (extent, whether it is reduced) of dimensions, joined side by side; those of 1 are left out."""
    found: "list[tuple[int, bool]]" = []
    for axis in range(len(shape)):
        extent, reduced = shape[axis], axis in dims
        if extent == 1:
            continue
        if found and found[-1][1] == reduced:
            extent *= found.pop()[0]
        found.append((extent, reduced))
    return found


def reduced(value: "Value", dim: "Any", keepdim: bool, layer: "Layer") -> "Value":
    """Return what a layer makes of a value, which takes (outer, size, inner) and answers (outer, inner).

    It is called for each run of dimensions that lie side by side, from the last on.
    """
    dims = places(dim, len(value.shape))
    shape, extents = left(value.shape, dims, keepdim), runs(value.shape, dims)
    for at in range(len(extents) - 1, -1, -1):
        size, is_reduced = extents[at]
        if is_reduced:
            outer = count([extent for extent, _ in extents[:at]])
            inner = count([extent for extent, kept in extents[at + 1 :] if not kept])
            value = value.reshape((outer, size, inner)).through(layer)
    return value.reshape(shape)
