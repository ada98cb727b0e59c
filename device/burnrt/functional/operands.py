"""What functions are given: values, and the parameters and numbers that stay as they are."""

from burnpack.dtype import count
from burnpack.errors import InvalidTensor
from burnpack.module import Param
from burnrt import kernels, parameters
from burnrt.value import Value, extents

if False:  # for type checkers
    from collections.abc import Iterable
    from typing import Any

    from burnrt.nn.layer import Layer
    from burnrt.trace import Graph


def operands(*given: "Any") -> "list[Value]":
    """Return a `Value` for each of what is given: a value itself, a parameter's, or a number's, of shape ().

    Of a pass that is followed, parameters, numbers and values with numbers of their own become its constants.
    Raises `InvalidTensor` for anything else, and what a parameter raises that has no data.
    """
    graphs = [each.graph for each in given if isinstance(each, Value) and each.graph is not None]
    return [_operand(each, graphs[0] if graphs else None) for each in given]


def through(layer: "Layer", *given: "Any") -> "Value":
    """Return what a layer makes of what is given: see `operands`."""
    values = operands(*given)
    return values[0].through(layer, *values[1:])


def is_number(given: object) -> bool:
    """Tell whether an argument is a plain number, not a value or a parameter."""
    return isinstance(given, (int, float))


def _operand(given: "Any", graph: "Graph | None") -> "Value":
    is_value = isinstance(given, Value)
    if is_value and (graph is None or given.graph is not None):
        return given  # type: ignore[no-any-return] # it is one
    is_param = isinstance(given, Param)
    if not is_value and not is_param and not is_number(given):
        raise InvalidTensor("takes values, parameters and numbers", found=type(given).__name__)
    shape = given.shape if is_value or is_param else ()
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
