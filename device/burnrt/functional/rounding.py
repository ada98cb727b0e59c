"""Whole numbers, and what division leaves."""

from burnpack.errors import Unsupported
from burnrt.functional.arithmetic import affine
from burnrt.functional.broadcasting import Broadcast
from burnrt.functional.each import Each
from burnrt.functional.operands import through

if False:  # for type checkers
    from typing import Any

    from burnrt.value import Value


class Floor(Each):
    kernel = "floor"


class Ceil(Each):
    kernel = "ceil"


class Round(Each):
    kernel = "rint"


class Trunc(Each):
    kernel = "trunc"


class FloorDivide(Broadcast):
    """Divide the first of two values by the second, down to a whole number; they are broadcast."""

    kernel = "floor_divide"


class Remainder(Broadcast):
    """What `FloorDivide` leaves: it has the divisor's sign."""

    kernel = "remainder"


class Fmod(Broadcast):
    """What division towards 0 leaves: it has the dividend's sign."""

    kernel = "fmod"


def floor(input: "Any") -> "Value":
    """Return the largest whole numbers that are not above the input's."""
    return through(Floor(), input)


def ceil(input: "Any") -> "Value":
    """Return the smallest whole numbers that are not below the input's."""
    return through(Ceil(), input)


def trunc(input: "Any") -> "Value":
    """Return the numbers without what is behind their points."""
    return through(Trunc(), input)


def round(input: "Any", decimals: int = 0) -> "Value":
    """Return the nearest numbers with so many decimals, of two that are as near the even one."""
    if type(decimals) is not int or not -30 <= decimals <= 30:
        raise Unsupported("decimals: are -30 to 30", "round", found=repr(decimals))
    if not decimals:
        return through(Round(), input)
    return affine(round(affine(input, 10.0**decimals, 0.0)), 10.0**-decimals, 0.0)


def frac(input: "Any") -> "Value":
    """Return what is behind the numbers' points, with their signs."""
    return fmod(input, 1.0)


def floor_divide(input: "Any", other: "Any") -> "Value":
    """Return input / other, down to a whole number."""
    return through(FloorDivide(), input, other)


def remainder(input: "Any", other: "Any") -> "Value":
    """Return what `floor_divide` leaves."""
    return through(Remainder(), input, other)


def fmod(input: "Any", other: "Any") -> "Value":
    """Return what division towards 0 leaves."""
    return through(Fmod(), input, other)


def rfloordiv(input: "Any", other: "Any") -> "Value":
    """Return other / input, down to a whole number."""
    return floor_divide(other, input)


def rmod(input: "Any", other: "Any") -> "Value":
    """Return what the floor division of other by input leaves."""
    return remainder(other, input)


fix = trunc
