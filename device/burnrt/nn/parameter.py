"""A parameter of the user's own."""

from burnpack.errors import InvalidTensor
from burnpack.module import Param


class Parameter(Param):
    """A parameter with a name and a shape, whose numbers a store brings.

    data: its shape, as a tuple of extents; or what has it: an array, a `Value`, another `Param`, or numbers
        in nested lists. The numbers themselves are not kept: a model runs on what was loaded.
    requires_grad: only matters in training.
    """

    def __init__(self, data: object = None, requires_grad: bool = True) -> None:
        shape = getattr(data, "shape", data)
        shape = tuple(shape) if isinstance(shape, tuple) else tuple(_extents(data))
        if [type(extent) for extent in shape] != [int] * len(shape) or min(shape + (0,)) < 0:
            expected = "a shape, or what has one"
            raise InvalidTensor("wrong data", "Parameter", expected=expected, found=repr(data))
        super().__init__(shape)


def _extents(rows: object) -> list[int]:
    """Return the extents of nested lists, all rows of which are as long."""
    if isinstance(rows, (int, float)):
        return []
    if not isinstance(rows, list) or not rows:
        raise InvalidTensor("wrong data", "Parameter", expected="a shape, or what has one", found=repr(rows))
    found = [_extents(row) for row in rows]
    if found != [found[0]] * len(rows):
        raise InvalidTensor("rows of different lengths", "Parameter")
    return [len(rows)] + found[0]
