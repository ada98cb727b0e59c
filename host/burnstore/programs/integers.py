"""A network in integers as a program: its steps' words, weights and constants.

tensors   NAME.weight     Q8S: linear (outputs, inputs), conv2d and depthwise2d as Conv2d and Conv1d have them
scalars   input.scale, input.zero_point, and the same of each step's output, for those who look into a file
constants of a step: biases and rescaling words; a lookup's table, which is its weight; a softmax's powers
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from burnpack.errors import InvalidTensor, Unsupported
from burnpack.tensor import Tensor
from burnrt import words as at
from burnstore.graph.network import Network
from burnstore.graph.operations import (
    Add,
    AveragePool,
    Convolution,
    Linear,
    Lookup,
    MaxPool,
    Numbers,
    Operation,
    Softmax,
)
from burnstore.programs.form import Constant, End, Form, Weight
from burnstore.quantize.calibrate import Bytes
from burnstore.quantize.memory import Layout, lay_out
from burnstore.quantize.rescale import add_words, word
from burnstore.quantize.weights import integers

_INPUT = "input"  # what the scalars of the input begin with, so no step's name
_POWER_MOST, _POWERS_MOST = 1 << 20, 1 << 28  # of a softmax: one, and those of a row together


@dataclass
class Program:
    """What a file of a quantized model holds. form: its program; tensors: the weights, behind it."""

    form: Form
    weights: list[Tensor] = field(default_factory=list)
    scalars: list[tuple[str, Any]] = field(default_factory=list)

    @property
    def tensors(self) -> list[Tensor]:
        """All tensors of the file, in their order."""
        return [self.form.tensor(self.weights), *self.weights]


class _Step:
    """What is known of an operation whose step is made."""

    def __init__(self, operation: Any, name: str, known: dict[int, Bytes], layout: Layout, per: str) -> None:
        self.operation = operation
        self.name = name
        self.given = known[operation.inputs[0]]
        self.all_given = [known[value] for value in operation.inputs]
        self.made = known[operation.output]
        self.layout = layout
        self.memory = layout.memory
        self.per = per

    def words(self, *more: int, cut: bool = True) -> list[int]:
        """Return INPUT, OUTPUT, LOW, HIGH, ZERO and what comes behind them."""
        offsets = self.memory.offsets
        places = [offsets[self.operation.inputs[0]], offsets[self.operation.output]]
        bounds = self.made.cut(self.operation.low, self.operation.high)
        return [*places, *((*bounds, self.made.zero_point) if cut else (0, 0, 0)), *more]

    def constants(self, bias: Any, rescale: list[int]) -> tuple[int, NDArray[np.int32]]:
        """Return RESCALE, and biases and rescaling words in a row."""
        return len(bias), np.array([*np.asarray(bias).tolist(), *rescale], np.int64).astype(np.int32)


class Made(NamedTuple):
    """What is written of a step. weight: a tensor, or bytes among the constants."""

    kernel: str
    words: list[int]
    weight: Tensor | bytes | None = None
    constants: NDArray[np.int32] | None = None


def program_of(network: Network, known: dict[int, Bytes], per: str) -> Program:
    """Return the program of a folded network.

    known: what the bytes of each value stand for. per: see `weights`. Raises `Unsupported` for a network
    without steps, `InvalidTensor` for numbers that don't fit.
    """
    if not network.operations:
        raise Unsupported("nothing is computed that could be quantized")
    layout = lay_out(network)
    memory = layout.memory
    given, answered = known[network.input], known[network.output]
    starts = memory.offsets[network.input], memory.offsets[network.output]
    form = Form(
        memory.size,
        [End(network.input_shape, starts[0], given.scale, given.zero_point)],
        [End(network.output_shape, starts[1], answered.scale, answered.zero_point, network.last)],
    )
    program = Program(form, scalars=_scalars(_INPUT, given))
    taken: list[str] = []
    for operation in network.operations:
        name = _free_name(operation.name, taken)
        taken.append(name)
        made = _MAKERS[type(operation)](_Step(operation, name, known, layout, per))
        assert len(made.words) == at.LENGTHS[made.kernel]
        form.integers(made.kernel, name, *_placed(made, program), made.words)
        program.scalars += _scalars(name, known[operation.output])
    return program


def _placed(made: Made, program: Program) -> tuple[Constant | Weight | None, Constant | None]:
    """Return where the weight and the constants of a step are, once they are in the program."""
    form, weight = program.form, made.weight
    constants = None if made.constants is None else form.constant(made.constants)
    if weight is None or isinstance(weight, bytes):
        return None if weight is None else form.constant(weight), constants
    program.weights.append(weight)
    return Weight(weight, prod(weight.shape)), constants


def _scalars(name: str, known: Bytes) -> list[tuple[str, Any]]:
    return [(f"{name}.scale", known.scale), (f"{name}.zero_point", known.zero_point)]


def _free_name(name: str, taken: list[str]) -> str:
    if not name.isprintable() or " " in name:
        raise Unsupported("a layer whose name has spaces", name)
    found, path, number = name, name.partition("@")[0], 2
    while found == _INPUT or found in taken:
        found, number = f"{path}@{number}", number + 1
    return found


def _linear(step: _Step) -> Made:
    operation: Linear = step.operation
    shape = operation.weight.shape
    rescale, weight, constants = _with_weights(step, shape)
    return Made("linear", step.words(rescale, operation.rows, shape[1], shape[0]), weight, constants)


def _convolution(step: _Step) -> Made:
    operation: Convolution = step.operation
    out, inputs, height, width = operation.weight.shape
    rescale, weight, constants = _with_weights(
        step, (out, inputs, width) if operation.lines else (out, inputs, height, width)
    )
    window, pad = operation.window.words(), step.given.zero_point
    if operation.is_depthwise:
        return Made("depthwise2d", step.words(rescale, 0, pad, out, *window), weight, constants)
    groups = operation.groups
    (work,), pairs = step.memory.work[operation.output], step.layout.pairs[operation.output]
    words = step.words(rescale, work, pad, inputs, *window, groups, out // groups, pairs)
    return Made("conv2d", words, weight, constants)


def _with_weights(step: _Step, shape: tuple[int, ...]) -> tuple[int, Tensor, NDArray[np.int32]]:
    """Return RESCALE, the weight, and biases and rescaling words."""
    operation = step.operation
    name = f"{step.name}.weight"
    per = operation.per or step.per
    found = integers(name, operation.weight, operation.bias, step.given, per, shape)
    factors = step.given.scale * found.scales / step.made.scale
    rescale, constants = step.constants(found.bias, [word(factor) for factor in factors.tolist()])
    return rescale, found.tensor, constants


def _max_pool(step: _Step) -> Made:
    operation: MaxPool = step.operation
    words = step.words(0, 0, 0, operation.channels, *operation.window.words(), cut=False)
    return Made("max_pool2d", words)


def _average_pool(step: _Step) -> Made:
    operation: AveragePool = step.operation
    factors = step.given.scale / (step.made.scale * operation.divisors)
    bias = -step.given.zero_point * operation.inside
    rescale, constants = step.constants(bias, [word(factor) for factor in factors.tolist()])
    words = step.words(rescale, 0, 0, operation.channels, *operation.window.words(), len(bias))
    return Made("avg_pool2d", words, None, constants)


def _add(step: _Step) -> Made:
    operation: Add = step.operation
    first, second = step.all_given
    factors = (first.scale / step.made.scale, second.scale / step.made.scale)
    found = add_words(factors, (first.zero_point, second.zero_point), step.made.zero_point)
    other = step.memory.offsets[operation.inputs[1]]
    return Made("add", step.words(other, operation.count, *found))


def _lookup(step: _Step) -> Made:
    operation: Lookup = step.operation
    answers = operation.function(step.given.numbers(np.arange(256)))
    if not np.isfinite(answers).all():
        raise InvalidTensor("not finite all over the range of what comes in", step.name)
    table = step.made.of(_cut(operation, answers))
    return Made("lookup", step.words(0, operation.count, cut=False), np.asarray(table, np.uint8).tobytes())


def _cut(operation: Operation, numbers: Numbers) -> Numbers:
    return np.clip(numbers, operation.low, operation.high)


def _softmax(step: _Step) -> Made:
    operation: Softmax = step.operation
    size = operation.count // operation.rows
    largest = min(_POWER_MOST, _POWERS_MOST // size)
    powers = np.rint(largest * np.exp(-step.given.scale * np.arange(256))).astype(np.int32)
    words = step.words(0, operation.rows, size, cut=False)
    return Made("softmax", words, None, powers)


_MAKERS: dict[type, Callable[[_Step], Made]] = {
    Linear: _linear,
    Convolution: _convolution,
    MaxPool: _max_pool,
    AveragePool: _average_pool,
    Add: _add,
    Lookup: _lookup,
    Softmax: _softmax,
}
