"""Dimensions, and the places in them, in another order."""

from burnpack.errors import InvalidTensor
from burnrt.functional.copies import Copies, moved
from burnrt.functional.operands import operands
from burnrt.functional.wholes import dimension, dimensions, each, listed, whole
from burnrt.nn.copying import row_major

if False:  # for type checkers
    from collections.abc import Sequence
    from typing import Any

    from burnrt.value import Value


_MOST = 1 << 28


class Permute(Copies):
    """Dimensions in another order."""


class Flip(Copies):
    """Places of dimensions, the last first."""


class Roll(Copies):
    """Places of a dimension, of which the last come first."""


def permute(input: "Any", *order: "Any", dims: "Sequence[int] | None" = None) -> "Value":
    """Return the value with its dimensions in this order: `permute(x, (0, 2, 1))`."""
    value = operands(input)[0]
    rank = len(value.shape)
    places = dimensions(listed(order, dims), rank)
    if len(places) != rank:
        raise InvalidTensor("dims: each dimension once", expected=rank, found=len(places))
    spans = row_major(value.shape)
    shape = [value.shape[place] for place in places]
    return moved(Permute, value, shape, [spans[place] for place in places])


def transpose(input: "Any", dim0: int, dim1: int) -> "Value":
    """Return the value with two dimensions exchanged."""
    value = operands(input)[0]
    order = list(range(len(value.shape)))
    first, second = dimension(dim0, len(order)), dimension(dim1, len(order))
    order[first], order[second] = second, first
    return permute(value, order)


swapaxes = swapdims = transpose


def movedim(input: "Any", source: "Any", destination: "Any") -> "Value":
    """Return the value with some dimensions at other places, and the others in their order."""
    value = operands(input)[0]
    rank = len(value.shape)
    sources, targets = dimensions(source, rank), dimensions(destination, rank)
    if len(sources) != len(targets):
        raise InvalidTensor("movedim: a place for each", expected=len(sources), found=len(targets))
    order = [place for place in range(rank) if place not in sources]
    for target, place in sorted(zip(targets, sources)):
        order.insert(target, place)
    return permute(value, order)


moveaxis = movedim


def t(input: "Any") -> "Value":
    """Return a matrix with its rows as columns; a value of fewer dimensions as it is."""
    value = operands(input)[0]
    if len(value.shape) > 2:
        raise InvalidTensor("t() is there for a matrix", expected=2, found=len(value.shape))
    return permute(value, list(reversed(range(len(value.shape)))))


def flip(input: "Any", *order: "Any", dims: "Sequence[int] | None" = None) -> "Value":
    """Return the value with the places of these dimensions the last first: `flip(x, (0, 1))`."""
    value = operands(input)[0]
    spans, start = row_major(value.shape), 0
    for place in dimensions(listed(order, dims), len(spans)):
        extent, step = spans[place]
        if extent > 1:
            start += (extent - 1) * step
            spans[place] = (extent, -step)
    return moved(Flip, value, value.shape, spans, start)


def roll(input: "Any", shifts: "Any", dims: "Any" = None) -> "Value":
    """Return the value with places of dimensions shifted: those beyond the end come first.

    Without dims all numbers are shifted, in row-major order.
    """
    value = operands(input)[0]
    if dims is None:
        return _rolled(value.reshape(-1), whole("shifts", -_MOST, shifts)[0], 0).reshape(value.shape)
    dims, shifts = each(dims), whole("shifts", -_MOST, shifts)
    if len(dims) != len(shifts):
        raise InvalidTensor("roll: a shift for each dimension", expected=len(dims), found=len(shifts))
    for dim, shift in zip(dims, shifts):
        value = _rolled(value, shift, dimension(dim, len(value.shape)))
    return value


def _rolled(value: "Value", shift: int, dim: int) -> "Value":
    extent = value.shape[dim]
    spans = row_major(value.shape)
    step = spans[dim][1]
    shift = shift % max(1, extent)
    if not shift:
        return value
    parts = []
    for start, to, length in ((0, shift, extent - shift), (extent - shift, 0, shift)):
        dims = [(length if at == dim else more, by, by) for at, (more, by) in enumerate(spans)]
        parts.append((0, start * step, to * step, dims))
    return value.through(Roll(value.shape, parts))
