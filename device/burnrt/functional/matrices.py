"""Products of matrices."""

from burnpack.dtype import count
from burnrt import kernels
from burnrt.functional.arithmetic import add, mul
from burnrt.functional.broadcasting import broadcast, joined, steps_of
from burnrt.functional.operands import operands
from burnrt.nn.layer import Layer

if False:  # for type checkers
    from typing import Any

    from burnpack.types import Shape
    from burnrt.types import Calls
    from burnrt.value import Value

_MATRICES_MOST = 16  # of a row, that are multiplied one by one: dense layers are in machine code on boards


class Matmul(Layer):
    """Multiply matrices.

    Inputs [..., rows, inner] and [..., inner, columns], whose other dimensions are broadcast; the output is
    [..., rows, columns]. first_turned, second_turned: whether the last two dimensions of an input have
    changed places.
    """

    def __init__(self, first_turned: bool = False, second_turned: bool = False) -> None:
        self.first_turned = first_turned
        self.second_turned = second_turned

    def output_shape(self, a: "Shape", b: "Shape") -> "Shape":  # type: ignore[override] # takes two
        rows, inner = _matrix(a, self.first_turned)
        others, columns = _matrix(b, self.second_turned)
        if inner != others:
            self.refuse(b, "matrices of %d rows" % inner)
        return broadcast(a[:-2], b[:-2]) + (rows, columns)

    def bind(self, a: "Value", b: "Value", output: "Value") -> "Calls":
        rows, inner = _matrix(a.shape, self.first_turned)
        columns = output.shape[-1]
        if not inner or not len(output.data):
            return [(kernels.fill, (output.data, 0, len(output.data), 0.0))] if len(output.data) else []
        batch = output.shape[:-2]
        steps = [_batch_steps(one.shape, len(batch)) for one in (a, b)]
        if not self.first_turned and not self.second_turned and not max([0] + steps[1]):
            sizes = (count(batch) * rows, inner, columns)
            if count(a.shape) == sizes[0] * inner:  # a dense layer's, which is fastest
                return [(kernels.linear, (a.data, b.data, None, output.data) + sizes)]
        extents, (a_steps, b_steps) = joined(batch, *steps)
        if len(extents) == 1 and extents[0] <= _MATRICES_MOST and self._are_views(a, b, output):
            sizes = (rows, inner, columns)
            numbers = (a.data, a_steps[0], b.data, b_steps[0], output.data)
            return [_dense(numbers, number, sizes) for number in range(extents[0])]
        a_steps += (1, rows) if self.first_turned else (inner, 1)
        b_steps += (1, inner) if self.second_turned else (columns, 1)
        told = (a.data, a_steps, b.data, b_steps, output.data, extents + (rows, inner, columns))
        return [(kernels.matmul, told)]

    def _are_views(self, *values: "Value") -> bool:
        """Tell whether the matrices lie as dense layers take them, in parts of an arena."""
        is_turned = self.first_turned or self.second_turned
        return not is_turned and all([isinstance(value.data, memoryview) for value in values])


def _dense(numbers: "Any", number: int, sizes: "Shape") -> "Any":
    """Return the call that multiplies one pair of matrices as a dense layer does."""
    a, a_step, b, b_step, out = numbers
    rows, inner, columns = sizes
    i, j, to = number * a_step, number * b_step, number * rows * columns
    parts = (a[i : i + rows * inner], b[j : j + inner * columns], None, out[to : to + rows * columns])
    return kernels.linear, parts + sizes


def _batch_steps(shape: "Shape", rank: int) -> list[int]:
    """Return the steps from matrix to matrix along `rank` dimensions: 0 where there is but one."""
    size = count(shape[-2:])
    return [step * size for step in steps_of(shape[:-2], rank)]


def _matrix(shape: "Shape", is_turned: bool) -> "Shape":
    """Return the extents of a matrix that may be turned."""
    return (shape[-1], shape[-2]) if is_turned else tuple(shape[-2:])


def matmul(input: "Any", other: "Any") -> "Value":
    """Return the products of matrices, or of rows and columns where an input has one dimension."""
    first, second = operands(input, other)
    layer = Matmul()
    rank, other_rank = len(first.shape), len(second.shape)
    if not rank or not other_rank:
        layer.refuse((), "at least one dimension")
    if rank == 1:
        first = first.reshape((1,) + first.shape)
    if other_rank == 1:
        second = second.reshape(second.shape + (1,))
    found = first.through(layer, second)
    shape = found.shape
    if other_rank == 1:
        shape = shape[:-1]
    if rank == 1:
        shape = shape[: len(shape) - 1 - (other_rank > 1)] + shape[len(shape) - (other_rank > 1) :]
    return found.reshape(shape)


def mm(input: "Any", mat2: "Any") -> "Value":
    """Return the product of two matrices."""
    return _of_rank(2, input, mat2)


def bmm(input: "Any", mat2: "Any") -> "Value":
    """Return the products of two rows of matrices, of which there are as many."""
    return _of_rank(3, input, mat2)


def mv(input: "Any", vec: "Any") -> "Value":
    """Return the product of a matrix and a vector."""
    return matmul(input, vec)


def dot(input: "Any", tensor: "Any") -> "Value":
    """Return the sum of the products of two vectors' numbers."""
    return matmul(input, tensor)


def addmm(input: "Any", mat1: "Any", mat2: "Any", beta: float = 1, alpha: float = 1) -> "Value":
    """Return beta · input + alpha · (mat1 @ mat2)."""
    return add(mm(mat1, mat2) if alpha == 1 else mul(mm(mat1, mat2), alpha), input, beta)


def baddbmm(input: "Any", batch1: "Any", batch2: "Any", beta: float = 1, alpha: float = 1) -> "Value":
    """Return beta · input + alpha · (batch1 @ batch2)."""
    return add(bmm(batch1, batch2) if alpha == 1 else mul(bmm(batch1, batch2), alpha), input, beta)


def rmatmul(input: "Any", other: "Any") -> "Value":
    """Return other @ input."""
    return matmul(other, input)


def _of_rank(rank: int, input: "Any", other: "Any") -> "Value":
    first, second = operands(input, other)
    for value in (first, second):
        if len(value.shape) != rank or value.shape[:-2] != first.shape[:-2]:
            Matmul().refuse(value.shape, "%d dimensions, as many matrices as the other" % rank)
    return first.through(Matmul(), second)
