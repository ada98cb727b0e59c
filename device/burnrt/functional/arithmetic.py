"""Sums, differences and products.

Numbers, and what has a number for each channel, cost as much as a norm's factors and shifts do: `affine` is
in machine code on boards that have floats.
"""

from burnrt import kernels
from burnrt.functional.broadcasting import Broadcast, channels_of, is_packed
from burnrt.functional.operands import is_number, operands, through
from burnrt.nn.add import Add
from burnrt.nn.layer import Layer

if False:  # for type checkers
    from typing import Any

    from burnpack.types import Shape
    from burnrt.types import Calls
    from burnrt.value import Value

_CHANNELS_MOST = 1024  # that are worth as many factors or shifts besides


class Affine(Layer):
    """Compute x · factor + shift, two numbers.

    Input of any shape [...]; the output has the same shape.
    """

    in_place = True

    factor: float
    shift: float

    def __init__(self, factor: float, shift: float) -> None:
        self.factor = factor
        self.shift = shift

    def bind(self, input: "Value", output: "Value") -> "Calls":
        factor, shift, count = kernels.floats([self.factor]), kernels.floats([self.shift]), len(output.data)
        return [(kernels.affine, (input.data, factor, shift, output.data, 1, 1, count))] if count else []


class _Commutative(Broadcast):
    """An operation of two inputs that is the same in either order.

    flat: the kernel for inputs of one shape.
    """

    flat = ""

    def calls(
        self, inputs: "tuple[Value, ...]", output: "Value", extents: "Shape", steps: "list[Shape]"
    ) -> "Calls":
        first, second = [is_packed(extents, each) for each in steps]
        if first and second:
            numbers = (inputs[0].data, inputs[1].data, output.data, len(output.data))
            return [(getattr(kernels, self.flat), numbers)]
        for whole, x, other, each in ((first, 0, 1, steps[1]), (second, 1, 0, steps[0])):
            sizes = channels_of(extents, each) if whole else None
            if sizes and sizes[1] <= _CHANNELS_MOST:
                given = (inputs[x].data,) + self.channels(inputs[other].data, sizes[1])
                return [(kernels.affine, given + (output.data,) + sizes)]
        return super().calls(inputs, output, extents, steps)

    def channels(self, numbers: "Any", count: int) -> "tuple[Any, ...]":
        """Return the factors and shifts that do the same with a number for each channel."""
        raise NotImplementedError


class BroadcastAdd(_Commutative):
    """Add two values, which are broadcast."""

    kernel = "add_strided"
    flat = "add"

    def channels(self, numbers: "Any", count: int) -> "tuple[Any, ...]":
        return kernels.floats([1.0] * count), numbers


class Multiply(_Commutative):
    """Multiply two values, which are broadcast."""

    kernel = "multiply_strided"
    flat = "multiply"

    def channels(self, numbers: "Any", count: int) -> "tuple[Any, ...]":
        return numbers, kernels.floats([0.0] * count)


class Subtract(Broadcast):
    """Take the second of two values from the first; they are broadcast."""

    kernel = "subtract"


def affine(input: "Any", factor: float, shift: float) -> "Value":
    """Return input · factor + shift."""
    return through(Affine(factor, shift), input)


def add(input: "Any", other: "Any", alpha: float = 1) -> "Value":
    """Return input + alpha · other."""
    if is_number(other):
        return affine(input, 1.0, alpha * other)
    if is_number(input):
        return affine(other, alpha, input)
    first, second = operands(input, other if alpha == 1 else affine(other, alpha, 0.0))
    return first.through(Add() if first.shape == second.shape else BroadcastAdd(), second)


def sub(input: "Any", other: "Any", alpha: float = 1) -> "Value":
    """Return input - alpha · other."""
    if is_number(other):
        return affine(input, 1.0, -alpha * other)
    if is_number(input):
        return affine(other, -alpha, input)
    return through(Subtract(), input, other if alpha == 1 else affine(other, alpha, 0.0))


def rsub(input: "Any", other: "Any", alpha: float = 1) -> "Value":
    """Return other - alpha · input."""
    return sub(other, input, alpha)


def mul(input: "Any", other: "Any") -> "Value":
    """Return input · other."""
    if is_number(other):
        return affine(input, other, 0.0)
    if is_number(input):
        return affine(other, input, 0.0)
    return through(Multiply(), input, other)


def neg(input: "Any") -> "Value":
    """Return -input."""
    return affine(input, -1.0, 0.0)


def square(input: "Any") -> "Value":
    """Return input²."""
    return through(Multiply(), input, input)


subtract = sub
multiply = mul
negative = neg
