"""The integers of a network: its steps' words and tensors, as `burnrt.int8` reads them from a file.

metadata  int8.version    "1"
          int8.steps      a line a step: the operation, a space, the step's name
          int8.last       "LogSoftmax", where that is computed of the answer, in floats
tensors   int8.program    I32: the arena's bytes, offsets of input and output in it, rank and extents of the
                          input, the same of the output, then the words of each step
          NAME.weight     Q8S: linear (outputs, inputs), conv2d and depthwise2d as Conv2d and Conv1d have them
          NAME.bias       I32, directly followed in the file by
          NAME.rescale    I32, one for each of the biases
          NAME.table      U8 [256], of a lookup
          NAME.powers     I32 [256], of a softmax
scalars   input.scale, input.zero_point, and the same of each step's output
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from burnpack.dtype import count
from burnpack.errors import InvalidTensor, Unsupported
from burnpack.layout import aligned
from burnpack.tensor import Tensor
from burnrt.int8 import words as at
from burnstore.numerics.arrays import tensor_from_array
from burnstore.quantize.calibrate import Bytes
from burnstore.quantize.memory import Memory, lay_out
from burnstore.quantize.operations import (
    Add,
    AveragePool,
    Convolution,
    Linear,
    Lookup,
    MaxPool,
    Network,
    Numbers,
    Operation,
    Softmax,
)
from burnstore.quantize.rescale import add_words, word
from burnstore.quantize.weights import integers

VERSION = "1"
PROGRAM = "int8.program"
_INPUT = "input"  # what the scalars of the input begin with, so no step's name
_POWER_MOST, _POWERS_MOST = 1 << 20, 1 << 28  # of a softmax: one, and those of a row together


@dataclass
class Program:
    """What a file of a quantized model holds. kernels: of each step, the operation that runs."""

    words: list[int]
    kernels: list[str] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    tensors: list[Tensor] = field(default_factory=list)
    scalars: list[tuple[str, Any]] = field(default_factory=list)
    metadata: list[tuple[str, str]] = field(default_factory=list)
    arena: int = 0


class _Step:
    """What is known of an operation whose step is made."""

    def __init__(self, operation: Any, name: str, known: dict[int, Bytes], memory: Memory, per: str) -> None:
        self.operation = operation
        self.name = name
        self.given = known[operation.inputs[0]]
        self.all_given = [known[value] for value in operation.inputs]
        self.made = known[operation.output]
        self.memory = memory
        self.per = per

    def words(self, *more: int, cut: bool = True) -> list[int]:
        """Return INPUT, OUTPUT, LOW, HIGH, ZERO and what comes behind them."""
        offsets = self.memory.offsets
        places = [offsets[self.operation.inputs[0]], offsets[self.operation.output]]
        bounds = self.made.cut(self.operation.low, self.operation.high)
        return [*places, *((*bounds, self.made.zero_point) if cut else (0, 0, 0)), *more]

    def constants(self, bias: Any, rescale: list[int]) -> tuple[int, list[Tensor]]:
        """Return RESCALE, and the tensors of which one follows the other in the file."""
        pair = (("bias", bias), ("rescale", rescale))
        tensors = [
            tensor_from_array(f"{self.name}.{what}", np.array(found, np.int32)) for what, found in pair
        ]
        return aligned(tensors[0].nbytes) // 4, tensors


Made = tuple[str, list[int], list[Tensor]]


def program_of(network: Network, known: dict[int, Bytes], per: str) -> Program:
    """Return the program of a folded network.

    known: what the bytes of each value stand for. per: see `weights`. Raises `Unsupported` for a network
    without steps, `InvalidTensor` for numbers that don't fit.
    """
    if not network.operations:
        raise Unsupported("nothing is computed that could be quantized")
    memory = lay_out(network, count(network.input_shape))
    made = Program(
        [memory.size, memory.offsets[network.input], memory.offsets[network.output]], arena=memory.size
    )
    for shape in (network.input_shape, network.output_shape):
        made.words += [len(shape), *shape]
    made.scalars += _scalars(_INPUT, known[network.input])
    for operation in network.operations:
        name = _free_name(operation.name, made.names)
        kernel, words, tensors = _MAKERS[type(operation)](_Step(operation, name, known, memory, per))
        assert len(words) == at.LENGTHS[kernel]
        made.words += words
        made.tensors += tensors
        made.kernels.append(kernel)
        made.names.append(name)
        made.scalars += _scalars(name, known[operation.output])
    made.tensors.insert(0, tensor_from_array(PROGRAM, np.array(made.words, np.int32)))
    made.metadata = _metadata(made, network.last)
    return made


def _metadata(made: Program, last: str | None) -> list[tuple[str, str]]:
    lines = "\n".join(f"{kernel} {name}" for kernel, name in zip(made.kernels, made.names, strict=True))
    pairs = [("int8.version", VERSION), ("int8.steps", lines)]
    return [*pairs, ("int8.last", last)] if last else pairs


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
    rescale, tensors = _with_weights(step, shape)
    return "linear", step.words(rescale, operation.rows, shape[1], shape[0]), tensors


def _convolution(step: _Step) -> Made:
    operation: Convolution = step.operation
    out, inputs, height, width = operation.weight.shape
    rescale, tensors = _with_weights(
        step, (out, inputs, width) if operation.lines else (out, inputs, height, width)
    )
    window, pad = operation.window.words(), step.given.zero_point
    if operation.is_depthwise:
        return "depthwise2d", step.words(rescale, 0, pad, out, *window), tensors
    groups = operation.groups
    work = step.memory.work[operation.output]
    words = step.words(rescale, work, pad, inputs, *window, groups, out // groups)
    return "conv2d", words, tensors


def _with_weights(step: _Step, shape: tuple[int, ...]) -> tuple[int, list[Tensor]]:
    """Return RESCALE, and the tensors of weight, bias and rescaling words."""
    operation = step.operation
    name = f"{step.name}.weight"
    per = operation.per or step.per
    found = integers(name, operation.weight, operation.bias, step.given, per, shape)
    factors = step.given.scale * found.scales / step.made.scale
    rescale, tensors = step.constants(found.bias, [word(factor) for factor in factors.tolist()])
    return rescale, [found.tensor, *tensors]


def _max_pool(step: _Step) -> Made:
    operation: MaxPool = step.operation
    words = step.words(0, 0, 0, operation.channels, *operation.window.words(), cut=False)
    return "max_pool2d", words, []


def _average_pool(step: _Step) -> Made:
    operation: AveragePool = step.operation
    factors = step.given.scale / (step.made.scale * operation.divisors)
    bias = -step.given.zero_point * operation.inside
    rescale, tensors = step.constants(bias, [word(factor) for factor in factors.tolist()])
    words = step.words(rescale, 0, 0, operation.channels, *operation.window.words(), len(bias))
    return "avg_pool2d", words, tensors


def _add(step: _Step) -> Made:
    operation: Add = step.operation
    first, second = step.all_given
    factors = (first.scale / step.made.scale, second.scale / step.made.scale)
    found = add_words(factors, (first.zero_point, second.zero_point), step.made.zero_point)
    other = step.memory.offsets[operation.inputs[1]]
    return "add", step.words(other, operation.count, *found), []


def _lookup(step: _Step) -> Made:
    operation: Lookup = step.operation
    answers = operation.function(step.given.numbers(np.arange(256)))
    if not np.isfinite(answers).all():
        raise InvalidTensor("not finite all over the range of what comes in", step.name)
    table = step.made.of(_cut(operation, answers))
    return (
        "lookup",
        step.words(0, operation.count, cut=False),
        [tensor_from_array(f"{step.name}.table", table)],
    )


def _cut(operation: Operation, numbers: Numbers) -> Numbers:
    return np.clip(numbers, operation.low, operation.high)


def _softmax(step: _Step) -> Made:
    operation: Softmax = step.operation
    size = operation.count // operation.rows
    largest = min(_POWER_MOST, _POWERS_MOST // size)
    powers = np.rint(largest * np.exp(-step.given.scale * np.arange(256))).astype(np.int32)
    words = step.words(0, operation.rows, size, cut=False)
    return "softmax", words, [tensor_from_array(f"{step.name}.powers", powers)]


_MAKERS: dict[type, Callable[[_Step], Made]] = {
    Linear: _linear,
    Convolution: _convolution,
    MaxPool: _max_pool,
    AveragePool: _average_pool,
    Add: _add,
    Lookup: _lookup,
    Softmax: _softmax,
}
