"""What buffers hold, as checks are given it: a list of one number."""

from burnpack.compat import const

EACH = const(8)  # what a number costs that is no part of a sum, in products


def flat(*extents: int) -> list[int]:
    """Return what a buffer of this shape holds.

    Raises `ValueError` or `TypeError` for extents that are no whole numbers, as truths are not.
    """
    count = 1
    for extent in extents:
        if extent | 0 < 0 or isinstance(extent, bool):  # of floats there is no |
            raise ValueError
        count *= extent
    return [count]


def real(*values: float) -> bool:
    """Return whether there are numbers, of which infinity is one; raises `TypeError` for what is none."""
    return min([value + 0.0 == value for value in values])
