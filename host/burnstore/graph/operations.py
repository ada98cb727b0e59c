"""What the steps of a network compute, in real numbers.

Values are named by numbers. Where an operation has an integer form, batches are of one and left out of its
sizes.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import inf, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from burnrt.trace import Step
from burnstore.numerics.few_bits import Moments

Numbers = NDArray[np.float64]
Pair = tuple[int, int]
Steps = tuple[int, int, int]


@dataclass(kw_only=True, eq=False)
class Operation:
    """A step.

    name: the path of the layer that it comes from. inputs, output: numbers of values.
    count: the numbers in the output. low, high: bounds to which the output is cut.
    besides: numbers of what it makes besides the output; None for one that nobody reads.
    within: numbers of values within it, which have no place but a range.
    """

    name: str
    inputs: tuple[int, ...]
    output: int
    count: int
    low: float = -inf
    high: float = inf
    besides: tuple[int | None, ...] = ()
    within: tuple[int, ...] = ()

    @property
    def outputs(self) -> tuple[int | None, ...]:
        """All that it makes."""
        return (self.output, *self.besides)

    @property
    def common(self) -> dict[str, Any]:
        """What another operation that takes its place has of it."""
        return {"name": self.name, "inputs": self.inputs, "output": self.output, "count": self.count}

    @property
    def macs(self) -> int:
        """How many products are added up."""
        return 0

    def cut(self, low: float, high: float) -> None:
        """Cut the output further."""
        self.low, self.high = (min(max(bound, low), high) for bound in (self.low, self.high))


@dataclass(kw_only=True, eq=False)
class Kept(Operation):
    """What a layer does, as it is. step: of the followed pass, with the layer and the shapes of values."""

    step: Step


@dataclass(kw_only=True, eq=False)
class Copy(Operation):
    """The same numbers at a place of their own."""


@dataclass(frozen=True)
class Window:
    """Windows that slide over planes; each pair is (vertical, horizontal)."""

    size: Pair
    out_size: Pair
    kernel: Pair
    stride: Pair = (1, 1)
    padding: Pair = (0, 0)
    dilation: Pair = (1, 1)

    def words(self) -> list[int]:
        """Return the numbers in the order of a step's words."""
        pairs = (self.size, self.out_size, self.kernel, self.stride, self.padding, self.dilation)
        return [number for pair in pairs for number in pair]

    @property
    def pads(self) -> bool:
        """Whether a window reaches beyond the plane."""
        sizes = zip(self.size, self.out_size, self.kernel, self.stride, self.dilation, strict=True)
        ends = [(out - 1) * stride + (kernel - 1) * step - size for size, out, kernel, stride, step in sizes]
        return self.padding != (0, 0) or max(ends) >= 0

    def spans(self, axis: int) -> list[range]:
        """Return of each window along an axis the places that lie inside the plane."""
        kernel, stride, padding = self.kernel[axis], self.stride[axis], self.padding[axis]
        starts = [index * stride - padding for index in range(self.out_size[axis])]
        return [range(max(0, start), min(self.size[axis], start + kernel)) for start in starts]


@dataclass(kw_only=True, eq=False)
class Linear(Operation):
    """weight: (outputs, inputs). bias: (outputs). Of each of `rows` rows of inputs a row of outputs.

    per: what of the weight has a scale, where that is not for the user to choose. bits: of a weight in
    integers. moments: of the inputs, where these are known. scales: of each output, where the weight is
    integers of 8 bits times a scale.
    """

    rows: int
    weight: Numbers
    bias: Numbers
    per: str | None = None
    bits: int = 8
    moments: Moments | None = None
    scales: Numbers | None = None

    @property
    def layout(self) -> Pair:
        """Channels of the output, and how many numbers each has in a row; (0, 0) where it is not so."""
        return (len(self.bias), 1) if self.rows == 1 else (0, 0)

    @property
    def macs(self) -> int:
        return self.rows * self.weight.size


@dataclass(kw_only=True, eq=False)
class Convolution(Operation):
    """weight: (out, in / groups, kernel height, kernel width). bias: (out).

    lines: it is one over lines, written with a weight of three dimensions. per, bits, moments, scales: as in
    `Linear`.
    """

    window: Window
    groups: int
    weight: Numbers
    bias: Numbers
    lines: bool = False
    per: str | None = None
    bits: int = 8
    moments: Moments | None = None
    scales: Numbers | None = None

    @property
    def layout(self) -> Pair:
        return len(self.bias), prod(self.window.out_size)

    @property
    def is_depthwise(self) -> bool:
        """Whether each channel is convolved alone, into one."""
        return self.groups == len(self.bias) and self.weight.shape[1] == 1

    @property
    def macs(self) -> int:
        return self.weight.size * prod(self.window.out_size)


@dataclass(kw_only=True, eq=False)
class MaxPool(Operation):
    channels: int
    window: Window


@dataclass(kw_only=True, eq=False)
class AveragePool(Operation):
    """inside: how many numbers of each window lie in the plane, by its place; divisors: what their sum is
    divided by. One of each where they are the same everywhere.
    """

    channels: int
    window: Window
    inside: NDArray[np.int64]
    divisors: NDArray[np.int64]


@dataclass(kw_only=True, eq=False)
class Resample(Operation):
    """Make planes of other sizes of weighted rows and columns.

    size: of a plane that comes in. lines: of each row and then of each column that goes out, pairs of the
    number of one that comes in and its weight.
    """

    channels: int
    size: Pair
    lines: tuple[list[list[tuple[int, float]]], list[list[tuple[int, float]]]]


@dataclass(kw_only=True, eq=False)
class Add(Operation):
    """Add two values of one size, each times its factor."""

    factors: tuple[float, float] = (1.0, 1.0)


@dataclass(kw_only=True, eq=False)
class Broadcast(Operation):
    """What is computed of each two numbers of two operands, which are broadcast.

    extents: (planes, lines, count). steps: of each operand, from number to number along these; the first's
    last is 1. kept: the second operand's numbers, where they are the same in each run.
    """

    extents: Steps
    steps: tuple[Steps, Steps]
    kept: Numbers | None = None


@dataclass(kw_only=True, eq=False)
class Sum(Broadcast):
    """Add two operands, each times its factor."""

    factors: tuple[float, float] = (1.0, 1.0)


@dataclass(kw_only=True, eq=False)
class Product(Broadcast):
    """Multiply two operands."""


@dataclass(kw_only=True, eq=False)
class Lookup(Operation):
    """Apply a function to each number."""

    function: Callable[[Numbers], Numbers]


def cutting(operation: Operation) -> Lookup:
    """Return the table that takes the place of an operation which does nothing but cut."""
    low, high = operation.low, operation.high
    return Lookup(**operation.common, low=low, high=high, function=lambda numbers: numbers)


@dataclass(kw_only=True, eq=False)
class LookupEach(Operation):
    """Apply functions to numbers, to as many side by side each."""

    functions: list[Callable[[Numbers], Numbers]]


@dataclass(kw_only=True, eq=False)
class Softmax(Operation):
    """Of each of `rows` rows."""

    rows: int


@dataclass(kw_only=True, eq=False)
class MaskedSoftmax(Softmax):
    """The same of what a mask shows of each row; what it hides becomes 0.

    shown: (rows, numbers of a row), which the rows take in turn.
    """

    shown: NDArray[np.bool_]


@dataclass(kw_only=True, eq=False)
class Matmul(Operation):
    """Products of matrices, times a factor.

    extents: how many products; of each the lines of the first matrix, its columns, and those of the second.
    step: from a first matrix to the next, in numbers. start: where the second ones begin in their value.
    steps: from a second one to the next, in it from row to row, and from column to column.
    """

    extents: tuple[int, int, int, int]
    step: int
    steps: tuple[int, int, int]
    start: int = 0
    factor: float = 1.0

    @property
    def macs(self) -> int:
        return prod(self.extents)


@dataclass(kw_only=True, eq=False)
class Embedding(Operation):
    """table: (entries, numbers of one). Of each index the entry of that number."""

    table: Numbers


@dataclass(kw_only=True, eq=False)
class Scale(Operation):
    """Multiply each channel by its factor and add its shift, (channels) each.

    plane: the extents of a channel. One channel may be all numbers, whatever their layout.
    """

    plane: Pair
    factor: Numbers
    shift: Numbers

    @property
    def layout(self) -> Pair:
        return len(self.factor), prod(self.plane)


@dataclass(kw_only=True, eq=False)
class Normalize(Operation):
    """Divide each row's distances from its mean, or from 0, by the root of their mean square and epsilon.

    inner: how many numbers side by side have one gain and one offset. gains, offsets: of each of these, of a
    row and of the next ones, or of one row for all.
    """

    rows: int
    inner: int
    gains: Numbers
    offsets: Numbers
    epsilon: float
    is_centered: bool = True


@dataclass(kw_only=True, eq=False)
class Clip(Operation):
    """Cut each number to the operation's bounds."""
