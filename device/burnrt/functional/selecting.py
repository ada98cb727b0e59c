"""Places of a dimension, one by one."""

from burnpack.dtype import count
from burnpack.errors import InvalidTensor
from burnpack.module import Param
from burnrt import kernels
from burnrt.functional.copies import Copies, moved
from burnrt.functional.operands import operands
from burnrt.functional.wholes import dimension, whole
from burnrt.nn.copying import row_major
from burnrt.nn.layer import Layer
from burnrt.value import Value

if False:  # for type checkers
    from typing import Any

    from burnpack.types import Shape
    from burnrt.types import Calls


def index_select(input: "Any", dim: int, index: "Any") -> "Value":
    """Return the places of a dimension that `index` names: a list, or a value whose numbers are there."""
    value = operands(input)[0]
    dim = dimension(dim, len(value.shape))
    extent = value.shape[dim]
    places = _places(index)
    if max(places + [0]) >= extent:
        raise InvalidTensor("no such place", "index_select", expected="below %d" % extent, found=max(places))
    shape = value.shape[:dim] + (len(places),) + value.shape[dim + 1 :]
    by = places[1] - places[0] if len(places) > 1 else 1
    if places == [place * by + places[0] for place in range(len(places))]:
        spans = row_major(value.shape)
        step = spans[dim][1]
        spans[dim] = (len(places), by * step)
        return moved(IndexCopies, value, shape, spans, places[0] * step if places else 0)
    return value.through(IndexSelect(dim, places))


class IndexCopies(Copies):
    """Places of a dimension that are equally far apart."""


class IndexSelect(Layer):
    """Take places of a dimension. dim, index: which."""

    def __init__(self, dim: int, index: "list[int]") -> None:
        self.dim = dim
        self.index = index

    def output_shape(self, shape: "Shape") -> "Shape":
        return shape[: self.dim] + (len(self.index),) + shape[self.dim + 1 :]

    def bind(self, input: "Value", output: "Value") -> "Calls":
        shape = input.shape
        outer, inner = count(shape[: self.dim]), count(shape[self.dim + 1 :])
        sizes = (outer, shape[self.dim], inner, tuple(self.index))
        return [(kernels.index_select, (input.data, output.data) + sizes)] if len(output.data) else []


def _places(index: "Any") -> "list[int]":
    if isinstance(index, (Value, Param)):
        numbers = operands(index)[0]
        index = [numbers.data[at] for at in range(count(numbers.shape))]
        index = [int(number) if number == int(number) else number for number in index]
    return whole("index", 0, list(index) if isinstance(index, range) else index)
