"""What functions are given: values, and the parameters and numbers that stay as they are."""

from burnpack.dtype import count
from burnpack.errors import InvalidTensor
from burnpack.module import Param
from burnrt import kernels, parameters
from burnrt.value import Value, extents

if False:  # for type checkers
    from collections.abc import Iterable
    from typing import Any

    from burnrt.trace import Graph


def operands(*given: "Any") -> "list[Value]":
    """Return a `Value` for each of what is given: a value itself, a parameter's, or a number's, of shape ().

    Of a pass that is followed, parameters and numbers become its constants. Raises `InvalidTensor` for
    anything else, and what a parameter raises that has no data.
    """
    graphs = [value.graph for value in given if isinstance(value, Value)]
    return [_operand(each, graphs[0] if graphs else None) for each in given]


def _operand(given: "Any", graph: "Graph | None") -> "Value":
    if isinstance(given, Value):
        return given
    is_param = isinstance(given, Param)
    if not is_param and not isinstance(given, (int, float)):
        raise InvalidTensor("takes values, parameters and numbers", found=type(given).__name__)
    shape = given.shape if is_param else ()
    if graph is not None:
        return graph.constant(given, shape)
    numbers = parameters.numbers_of(given, "Parameter") if is_param else kernels.floats([given])
    return Kept(numbers, shape)


class Kept(Value):
    """Numbers that stay as they are: of a parameter, on a board a sequence that can't tell its length."""

    def __init__(self, data: "Any", shape: "Iterable[int]") -> None:
        self.data = data
        self.shape = tuple(shape)

    def reshape(self, *shape: "int | Iterable[int]") -> "Kept":
        """Return the same numbers under another shape."""
        size = count(self.shape)
        shape = extents(shape, size)
        if count(shape) != size:
            raise InvalidTensor("wrong number of values", expected=count(shape), found=size)
        return Kept(self.data, shape)
