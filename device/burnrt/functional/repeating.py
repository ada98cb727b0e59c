"""Numbers that are there several times."""

from burnpack.errors import InvalidTensor
from burnrt.functional.copies import Copies, moved
from burnrt.functional.operands import operands
from burnrt.functional.wholes import dimension, listed, whole
from burnrt.nn.copying import row_major

if False:  # for type checkers
    from collections.abc import Sequence
    from typing import Any

    from burnrt.value import Value


class Expand(Copies):
    """Dimensions of one place, as if they had more."""


class Repeat(Copies):
    """Numbers that are there several times."""


def expand(input: "Any", *sizes: "Any", size: "Sequence[int] | None" = None) -> "Value":
    """Return the value with other extents where it has 1, and in front; -1 is the extent that it has."""
    value = operands(input)[0]
    wanted = listed(sizes, size)
    more = len(wanted) - len(value.shape)
    if more < 0:
        what = "expand: an extent for each dimension"
        raise InvalidTensor(what, expected=len(value.shape), found=len(wanted))
    spans = [(1, 0)] * more + row_major(value.shape)
    for place, extent in enumerate(whole("expand", -1, wanted)):
        known = spans[place][0]
        if extent == -1 and place < more:
            raise InvalidTensor("expand: -1 is for a dimension that is there", found=list(wanted))
        if extent not in (-1, known):
            if known != 1:
                raise InvalidTensor("only a dimension of 1 expands", expected=known, found=extent)
            spans[place] = (extent, 0)
    return moved(Expand, value, [extent for extent, _ in spans], spans)


broadcast_to = expand


def expand_as(input: "Any", other: "Any") -> "Value":
    """Return the value with the extents of another."""
    return expand(input, other.shape)


def repeat(input: "Any", *sizes: "Any", repeats: "Sequence[int] | None" = None) -> "Value":
    """Return the value so many times along each dimension; there may be more numbers than dimensions."""
    value = operands(input)[0]
    times = whole("repeats", 0, listed(sizes, repeats))
    more = len(times) - len(value.shape)
    if more < 0:
        what = "repeat: a number for each dimension"
        raise InvalidTensor(what, expected=len(value.shape), found=len(times))
    shape, spans = [], []
    for number, (extent, step) in zip(times, [(1, 0)] * more + row_major(value.shape)):
        shape.append(number * extent)
        spans += [(number, 0), (extent, step)]
    return moved(Repeat, value, shape, spans)


def tile(input: "Any", *sizes: "Any", dims: "Sequence[int] | None" = None) -> "Value":
    """Return what `repeat` does, with ones in front of fewer numbers than dimensions."""
    value = operands(input)[0]
    times = list(listed(sizes, dims))
    return repeat(value, [1] * (len(value.shape) - len(times)) + times)


def repeat_interleave(input: "Any", repeats: int, dim: int | None = None) -> "Value":
    """Return the value with each place of a dimension so many times; without dim, each number."""
    value = operands(input)[0]
    if dim is None:
        value, dim = value.reshape(-1), 0
    dim = dimension(dim, len(value.shape))
    (times,) = whole("repeats", 0, repeats)
    spans = row_major(value.shape)
    shape = value.shape[:dim] + (value.shape[dim] * times,) + value.shape[dim + 1 :]
    return moved(Repeat, value, shape, spans[: dim + 1] + [(times, 0)] + spans[dim + 1 :])
