"""Whole numbers that functions are given: dimensions, sizes, shifts."""

from burnpack.errors import InvalidTensor

if False:  # for type checkers
    from collections.abc import Sequence
    from typing import Any


def dimension(dim: object, rank: int) -> int:
    """Return the dimension that a number means, which may count from the end. Raises `InvalidTensor`."""
    if not isinstance(dim, int) or not -rank <= dim < rank:
        raise InvalidTensor("no such dimension", expected="%d to %d" % (-rank, rank - 1), found=dim)
    return dim % rank


def dimensions(dims: "Any", rank: int) -> list[int]:
    """Return the dimensions that one number or several mean, in their order. No two may be the same."""
    found = [dimension(dim, rank) for dim in each(dims)]
    if len(set(found)) != len(found):
        raise InvalidTensor("a dimension is named twice", found=list(dims))
    return found


def whole(name: str, least: int, given: "Any") -> list[int]:
    """Return one number or several as a list of such. Raises `InvalidTensor`, with the argument's name, for
    what is not whole or below `least`.
    """
    numbers = list(each(given))
    for number in numbers:
        if type(number) is not int or number < least:
            raise InvalidTensor("%s: is whole, at least %d" % (name, least), found=repr(number))
    return numbers


def each(given: "Any") -> "Sequence[Any]":
    """Return a sequence as it is, and anything else as a sequence of one."""
    return given if isinstance(given, (tuple, list)) else (given,)


def listed(given: "Sequence[Any]", named: "Any" = None) -> "Sequence[Any]":
    """Return the numbers of `f(x, 1, 2)`, `f(x, (1, 2))` or `f(x, dims=(1, 2))`."""
    if named is not None:
        return each(named)
    return each(given[0]) if len(given) == 1 else given
