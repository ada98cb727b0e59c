"""Variances, norms, products, and sums on the way."""

from burnpack.dtype import count
from burnpack.errors import InvalidTensor, Unsupported
from burnrt import kernels
from burnrt.functional.arithmetic import add, affine, square, sub
from burnrt.functional.comparing import ne
from burnrt.functional.dims import around, left, places, reduced, runs
from burnrt.functional.each import abs, exp, log, sqrt
from burnrt.functional.operands import operands
from burnrt.functional.powers import pow
from burnrt.functional.reducing import Reduction, amax, amin, mean, sum
from burnrt.nn.layer import Layer

if False:  # for type checkers
    from typing import Any

    from burnrt.types import Calls
    from burnrt.value import Value


class Variance(Reduction):
    """divisor: what the sum of the squares is divided by."""

    def __init__(self, divisor: float) -> None:
        self.divisor = divisor

    def bind(self, input: "Value", output: "Value") -> "Calls":
        if not len(output.data):
            return []
        numbers = (input.data, 1.0 / self.divisor, output.data) + tuple(input.shape)
        return [(kernels.variance, numbers)]


class Product(Reduction):
    kernel = "product"


class CumulativeSum(Layer):
    """Add up each row of numbers; each number becomes the sum of all up to it.

    Input [outer, size, inner]; the output has the same shape.
    """

    in_place = True

    def bind(self, input: "Value", output: "Value") -> "Calls":
        return [(kernels.cumsum, (input.data, output.data) + tuple(input.shape))] if len(output.data) else []


def var(
    input: "Any",
    dim: "Any" = None,
    unbiased: "bool | None" = None,
    keepdim: bool = False,
    correction: "float | None" = None,
) -> "Value":
    """Return the variances along dimensions: one, several, or all.

    correction: what the count is lowered by; 1 unless `unbiased` is False.
    """
    value = operands(input)[0]
    dims = places(dim, len(value.shape))
    correction = (1 if unbiased is None else int(unbiased)) if correction is None else correction
    size = count([value.shape[axis] for axis in dims])
    divisor = float(size - correction)
    if divisor <= 0:
        raise InvalidTensor("var: too few numbers", expected="more than %g" % correction, found=size)
    shape, extents = left(value.shape, dims, keepdim), runs(value.shape, dims)
    if [kept for _, kept in extents].count(True) == 1:
        return reduced(value, dims, True, Variance(divisor)).reshape(shape)
    squares = square(sub(value, mean(value, dims, True)))
    return affine(sum(squares, dims, keepdim), 1.0 / divisor, 0.0)


def std(
    input: "Any",
    dim: "Any" = None,
    unbiased: "bool | None" = None,
    keepdim: bool = False,
    correction: "float | None" = None,
) -> "Value":
    """Return the square roots of the variances: see `var`."""
    return sqrt(var(input, dim, unbiased, keepdim, correction))


def var_mean(
    input: "Any",
    dim: "Any" = None,
    unbiased: "bool | None" = None,
    keepdim: bool = False,
    correction: "float | None" = None,
) -> "tuple[Value, Value]":
    """Return the variances and the means: see `var`."""
    return var(input, dim, unbiased, keepdim, correction), mean(input, dim, keepdim)


def std_mean(
    input: "Any",
    dim: "Any" = None,
    unbiased: "bool | None" = None,
    keepdim: bool = False,
    correction: "float | None" = None,
) -> "tuple[Value, Value]":
    """Return the square roots of the variances, and the means: see `var`."""
    return std(input, dim, unbiased, keepdim, correction), mean(input, dim, keepdim)


def prod(input: "Any", dim: "int | None" = None, keepdim: bool = False, dtype: object = None) -> "Value":
    """Return the products along a dimension, or of all numbers."""
    return reduced(operands(input)[0], dim, keepdim, Product())


def cumsum(input: "Any", dim: int, dtype: object = None) -> "Value":
    """Return the sums of all numbers along a dimension up to each."""
    value = operands(input)[0]
    return value.reshape(around(value.shape, dim)).through(CumulativeSum()).reshape(value.shape)


def logsumexp(input: "Any", dim: "Any", keepdim: bool = False) -> "Value":
    """Return the logarithms of the sums of e's powers along dimensions."""
    value = operands(input)[0]
    most = amax(value, dim, True)
    sums = sum(exp(sub(value, most)), dim, keepdim)
    return add(log(sums), most.reshape(sums.shape))


def norm(
    input: "Any", p: "Any" = "fro", dim: "Any" = None, keepdim: bool = False, dtype: object = None
) -> "Value":
    """Return the norms along dimensions: one, several, or all. p: a number, or "fro", which is 2."""
    if p in ("fro", None):
        p = 2
    if not isinstance(p, (int, float)):
        raise Unsupported("p: is a number or 'fro'", "norm", found=repr(p))
    value = operands(input)[0]
    if p == 2:
        return sqrt(sum(square(value), dim, keepdim))
    value = abs(value)
    if p == float("inf"):
        return amax(value, dim, keepdim)
    if p == float("-inf"):
        return amin(value, dim, keepdim)
    if p == 1:
        return sum(value, dim, keepdim)
    if p == 0:
        return sum(ne(value, 0.0), dim, keepdim)
    return pow(sum(pow(value, p), dim, keepdim), 1.0 / p)
