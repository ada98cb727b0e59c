"""Many numbers made one: sums, means, extremes, and where they are."""

from burnpack.dtype import count
from burnrt import kernels
from burnrt.functional.comparing import maximum, minimum
from burnrt.functional.dims import around, left, places, reduced
from burnrt.functional.operands import operands
from burnrt.nn.layer import Layer

if False:  # for type checkers
    from typing import Any

    from burnpack.types import Shape
    from burnrt.types import Calls
    from burnrt.value import Value


class Reduction(Layer):
    """Make one number of each row of numbers.

    Input [outer, size, inner]; the output is [outer, inner]. kernel: the name of what computes it.
    """

    kernel = ""

    def output_shape(self, shape: "Shape") -> "Shape":
        if not shape[1] and shape[0] * shape[2]:
            self.refuse(shape, "at least one number to a row")
        return shape[0], shape[2]

    def bind(self, input: "Value", output: "Value") -> "Calls":
        if not len(output.data):
            return []
        return [(getattr(kernels, self.kernel), (input.data, output.data) + tuple(input.shape))]


class Sum(Reduction):
    kernel = "total"

    def output_shape(self, shape: "Shape") -> "Shape":
        return shape[0], shape[2]

    def bind(self, input: "Value", output: "Value") -> "Calls":
        if not len(output.data):
            return []
        if not count(input.shape):
            return [(kernels.fill, (output.data, 0, len(output.data), 0.0))]
        return [(kernels.total, (input.data, 1.0, output.data) + tuple(input.shape))]


class Mean(Reduction):
    def bind(self, input: "Value", output: "Value") -> "Calls":
        if not len(output.data):
            return []
        outer, size, inner = input.shape
        if inner == 1:  # which is in machine code on boards that have floats
            shapes = (input.data, (1, outer, size, 1), output.data, (1, outer, 1, 1))
            return [(kernels.adaptive_avg_pool2d, shapes)]
        return [(kernels.total, (input.data, 1.0 / size, output.data, outer, size, inner))]


class Amax(Reduction):
    kernel = "amax"


class Amin(Reduction):
    kernel = "amin"


class Argmax(Reduction):
    kernel = "argmax"


class Argmin(Reduction):
    kernel = "argmin"


class _WithPlaces(Reduction):
    """The same, and a second value with the places."""

    places = ""

    def bind(self, input: "Value", output: "Value", indices: "Value | None") -> "Calls":  # type: ignore[override]
        found = super().bind(input, output)
        if found and indices is not None:
            found.append((getattr(kernels, self.places), (input.data, indices.data) + tuple(input.shape)))
        return found


class MaxDim(_WithPlaces):
    kernel, places = "amax", "argmax"


class MinDim(_WithPlaces):
    kernel, places = "amin", "argmin"


def sum(input: "Any", dim: "Any" = None, keepdim: bool = False, dtype: object = None) -> "Value":
    """Return the sums along dimensions: one, several, or all."""
    return reduced(operands(input)[0], dim, keepdim, Sum())


def mean(input: "Any", dim: "Any" = None, keepdim: bool = False, dtype: object = None) -> "Value":
    """Return the means along dimensions: one, several, or all."""
    return reduced(operands(input)[0], dim, keepdim, Mean())


def amax(input: "Any", dim: "Any" = (), keepdim: bool = False) -> "Value":
    """Return the largest numbers along dimensions: one, several, or all."""
    return reduced(operands(input)[0], dim, keepdim, Amax())


def amin(input: "Any", dim: "Any" = (), keepdim: bool = False) -> "Value":
    """Return the smallest numbers along dimensions: one, several, or all."""
    return reduced(operands(input)[0], dim, keepdim, Amin())


def argmax(input: "Any", dim: "int | None" = None, keepdim: bool = False) -> "Value":
    """Return where along a dimension the largest number is, the first of several; without one, of all."""
    return _place_of(input, dim, keepdim, Argmax())


def argmin(input: "Any", dim: "int | None" = None, keepdim: bool = False) -> "Value":
    """Return where along a dimension the smallest number is, the first of several; without one, of all."""
    return _place_of(input, dim, keepdim, Argmin())


def _place_of(input: "Any", dim: "int | None", keepdim: bool, layer: Layer) -> "Value":
    value = operands(input)[0]
    shape = value.shape
    dims = list(range(len(shape))) if dim is None else places(dim, len(shape))
    if dim is None:
        value, dim = value.reshape(-1), 0
    return value.reshape(around(value.shape, dim)).through(layer).reshape(left(shape, dims, keepdim))


def max(input: "Any", dim: "Any" = None, keepdim: bool = False) -> "Any":
    """Return (values, indices): the largest numbers along a dimension, and where they are.

    dim: without it, all numbers are looked at, and there are no indices; with a value in its place, the
    larger of each two numbers are returned.
    """
    return _extremes(input, dim, keepdim, MaxDim(), amax, maximum)


def min(input: "Any", dim: "Any" = None, keepdim: bool = False) -> "Any":
    """Return (values, indices): the smallest numbers along a dimension, and where they are; see `max`."""
    return _extremes(input, dim, keepdim, MinDim(), amin, minimum)


def _extremes(input: "Any", dim: "Any", keepdim: bool, layer: Layer, of_all: "Any", of_two: "Any") -> "Any":
    if dim is None:
        return of_all(input)
    if not isinstance(dim, int):
        return of_two(input, dim)
    value = operands(input)[0]
    shape = left(value.shape, places(dim, len(value.shape)), keepdim)
    value = value.reshape(around(value.shape, dim))
    made = layer.output_shape(value.shape)
    values, indices = value.into((made, made), layer)
    return values.reshape(shape), indices.reshape(shape)
