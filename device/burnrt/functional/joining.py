"""Values one behind the other."""

from burnpack.dtype import count
from burnpack.errors import InvalidTensor
from burnrt.functional.copies import Copies
from burnrt.functional.operands import operands
from burnrt.functional.wholes import dimension

if False:  # for type checkers
    from collections.abc import Iterable
    from typing import Any

    from burnrt.value import Value


class Cat(Copies):
    """Values one behind the other."""


def cat(tensors: "Iterable[Any]", dim: int = 0) -> "Value":
    """Return one value of several that differ in the extent of dimension `dim` alone."""
    values = operands(*tensors)
    # PyTorch passes over values of no numbers that have one dimension, whatever the others have.
    values = [value for value in values if value.shape != (0,)] or values[:1]
    if not values:
        raise InvalidTensor("cat joins values", expected="one at least", found=0)
    shape = values[0].shape
    dim = dimension(dim, len(shape))
    outer, inner = count(shape[:dim]), count(shape[dim + 1 :])
    sizes = [_size(value.shape, shape, dim) * inner for value in values]
    if len(values) == 1:
        return values[0]
    total, at, parts = sum(sizes), 0, []
    for number, size in enumerate(sizes):
        parts.append((number, 0, at, ((outer, size, total), (size, 1, 1))))
        at += size
    joined = Cat(shape[:dim] + (total // max(1, inner),) + shape[dim + 1 :], parts)
    return values[0].through(joined, *values[1:])


concat = concatenate = cat


def stack(tensors: "Iterable[Any]", dim: int = 0) -> "Value":
    """Return values of one shape as the parts of a new dimension."""
    values = operands(*tensors)
    for value in values:
        if value.shape != values[0].shape:
            expected, found = list(values[0].shape), list(value.shape)
            raise InvalidTensor("stack joins values of one shape", expected=expected, found=found)
    return cat([value.unsqueeze(dim) for value in values], dim)


def _size(shape: "Any", first: "Any", dim: int) -> int:
    if len(shape) != len(first) or shape[:dim] + shape[dim + 1 :] != first[:dim] + first[dim + 1 :]:
        what = "cat joins values that differ in dimension %d alone" % dim
        raise InvalidTensor(what, expected=list(first), found=list(shape))
    return shape[dim]  # type: ignore[no-any-return] # a whole number
