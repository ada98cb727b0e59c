"""Values of options that several commands have."""

from math import inf, prod

import click

_DIGITS = 18  # of a whole number: more than any size has, fewer than Python refuses to read
_NUMBERS = 1 << 26  # in an input: 256 MB of floats, more than any board holds
_UNITS = {"K": 1 << 10, "M": 1 << 20}

Shape = tuple[int, ...]


def shapes_of(
    context: click.Context, parameter: click.Parameter, values: tuple[str, ...]
) -> tuple[Shape, ...]:
    """Return what was given as "1,1,28,28", each time."""
    return tuple(_shape(value, context, parameter) for value in values)


def bytes_of(context: click.Context, parameter: click.Parameter, value: str | None) -> int | None:
    """Return what was given as "2M", "192K" or "4096"."""
    if value is None:
        return None
    unit = _UNITS.get(value[-1:].upper(), 1)
    digits = value[:-1] if unit > 1 else value
    if not _is_whole(digits):
        raise click.BadParameter('sizes are written as "2M", "192K" or "4096"', context, parameter)
    return int(digits) * unit


def tolerance_of(context: click.Context, parameter: click.Parameter, value: float | None) -> float | None:
    """Return a tolerance that a test can pass and fail."""
    if value is not None and not 0 <= value < inf:
        raise click.BadParameter("a tolerance is a number from 0 on", context, parameter)
    return value


def _shape(value: str, context: click.Context, parameter: click.Parameter) -> Shape:
    words = value.split(",")
    if not all(_is_whole(word) and int(word) for word in words):
        what = 'extents are written as "1,1,28,28", each 1 or more'
        raise click.BadParameter(what, context, parameter)
    shape = tuple(map(int, words))
    if prod(shape) > _NUMBERS:
        what = f"an input of more than {_NUMBERS:,} numbers is more than any board holds"
        raise click.BadParameter(what, context, parameter)
    return shape


def _is_whole(word: str) -> bool:
    return word.isascii() and word.isdecimal() and len(word) <= _DIGITS
