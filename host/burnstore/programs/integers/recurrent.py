"""Recurrent layers: matrices of a time step's input and hidden state in one row, and tables for the gates.

tensors   NAME.weight, or of a GRU NAME.gates, NAME.input and NAME.hidden; of two directions NAME.reverse.…
          as well. What multiplies the hidden state lies behind what multiplies the input, in steps of its own
          scale.
"""

from collections.abc import Iterator
from math import ldexp

import numpy as np

from burnpack.errors import Unsupported
from burnpack.layout import aligned
from burnpack.tensor import Tensor
from burnrt import recurrent_words as at
from burnstore.graph.operations import Numbers
from burnstore.graph.recurrence import Gate, Recurrence
from burnstore.numerics.quantized import parts
from burnstore.programs.integers.step import Made, Maker, Step
from burnstore.quantize.calibrate import Bytes
from burnstore.quantize.rescale import word
from burnstore.quantize.weights import integers

# Beyond these, a sigmoid and a tanh hardly change: what their tables reach to.
_SIGMOID_MOST, _TANH_MOST = 8.0, 4.0
_ONE = 4096  # of what tables hold
_SHIFT_MOST = 13
_SCALE_ONE = Bytes(1.0, 0)  # weights are in steps of what comes in already


class _Matrix:
    """A matrix of a step, with its constants. weight: in steps of what comes in. zeros: of these.

    scales: what a sum's byte stands for, of each row.
    """

    def __init__(
        self, name: str, weight: Numbers, bias: Numbers, zeros: Numbers, scales: Numbers, per: str
    ) -> None:
        found = integers(name, weight, bias, _SCALE_ONE, per, weight.shape)
        stored = parts(found.tensor).values.reshape(weight.shape).astype(np.int64)
        self.tensor: Tensor = found.tensor
        biases = found.bias - stored @ zeros.astype(np.int64)
        self.constants = [*biases.tolist(), *(word(factor) for factor in (found.scales / scales).tolist())]


def _recurrent(step: Step) -> Made:
    operation: Recurrence = step.operation
    reaches = [float(step.known[inner].reach) for inner in operation.within]
    scales, table, factors = _KINDS[operation.kind](step, reaches)
    names = [step.name] if operation.directions == 1 else [step.name, f"{step.name}.reverse"]
    both = [
        list(_matrices(step, name, each, scales)) for name, each in zip(names, operation.gates, strict=True)
    ]
    starts, end = [], 0
    for matrix in both[0]:
        starts.append(end)
        end = aligned(end + matrix.tensor.nbytes)
    constants = [*table, *(number for each in both for matrix in each for number in matrix.constants)]
    words = _words(step, [*starts[1:], 0, 0][:2], end)
    tensors = [matrix.tensor for each in both for matrix in each]
    last = len(both[0]) - 1
    size = end * (len(both) - 1) + starts[last] + np.prod(both[0][last].tensor.shape)
    numbers = np.array(constants, np.int64).astype(np.int32)
    return Made(operation.kind, [*words, *factors], tensors, numbers, int(size))


def _matrices(step: Step, name: str, gates: list[Gate], scales: list[float]) -> Iterator[_Matrix]:
    """Yield the matrices of a direction. scales: what a byte of each gate's sums stands for."""
    numbers, hidden = at.fours(step.operation.numbers), step.operation.hidden
    given, kept = step.given, step.made
    width = ((0, 0), (0, numbers - step.operation.numbers))
    zeros = np.array([given.zero_point] * numbers + [kept.zero_point] * hidden)
    inputs = [np.pad(gate.weight * given.scale, width) for gate in gates]
    states = [gate.kept * kept.scale for gate in gates]
    both = list(zip(inputs, states, strict=True))
    together = 2 if step.operation.kind == "gru" else len(gates)
    weight = np.concatenate([np.concatenate(pair, 1) for pair in both[:together]])
    bias = np.concatenate([gate.bias + gate.kept_bias for gate in gates[:together]])
    first = f"{name}.gates" if step.operation.kind == "gru" else f"{name}.weight"
    yield _Matrix(first, weight, bias, zeros, np.repeat(scales[:together], hidden), step.per)
    if step.operation.kind == "gru":
        of_input, of_hidden = (np.full(hidden, scale) for scale in scales[2:])
        last = gates[2]
        yield _Matrix(f"{name}.input", inputs[2], last.bias, zeros[:numbers], of_input, step.per)
        yield _Matrix(f"{name}.hidden", states[2], last.kept_bias, zeros[numbers:], of_hidden, step.per)


def _words(step: Step, matrices: list[int], apart: int) -> list[int]:
    """Return the words up to the rows of sums."""
    operation: Recurrence = step.operation
    offsets = step.memory.offsets
    (work,) = step.memory.work[operation.output]
    state = operation.inputs[1] if len(operation.inputs) > 1 else None
    after = operation.besides[0] if operation.besides else None
    cell = operation.besides[1] if len(operation.besides) > 1 else None
    keeps = (state is not None) + 2 * (after is not None) + 4 * (cell is not None)
    words = [offsets[operation.inputs[0]], offsets[operation.output], 0, 255, step.made.zero_point]
    words += [0 if state is None else offsets[state], work, keeps]
    words += [operation.times, operation.numbers, operation.hidden, operation.directions]
    words += [0 if after is None else offsets[after], *matrices, apart]
    for given, made, inputs, outputs in at.laid(at.GATES[operation.kind], words)[0]:
        words += [given, made, 0, 255, 128, outputs, 1, inputs, outputs]
    return words


def _gru(step: Step, reaches: list[float]) -> tuple[list[float], list[int], list[int]]:
    """Return what a byte of each gate's sums stands for, the table, and the factors."""
    sigmoid, of_input, of_hidden = _step(reaches[0], _SIGMOID_MOST), _step(reaches[1]), _step(reaches[2])
    tanh = _step(reaches[1] + reaches[2], _TANH_MOST)
    shift = _SHIFT_MOST
    while shift and (of_input / tanh > 2.0 ** (13 - shift) or of_hidden / tanh > 8191 / 2.0**shift):
        shift -= 1
    if max(of_input, of_hidden / 32) / tanh >= 1 << 12:
        raise Unsupported("sums that are far apart, of input and hidden state", step.name)
    first, second = round(ldexp(of_input / tanh, shift + 8)), round(ldexp(of_hidden / tanh, shift))
    factors = [first, second, shift, round(64 / step.made.scale)]
    return [sigmoid, sigmoid, of_input, of_hidden], _table(sigmoid, tanh), factors


def _lstm(step: Step, reaches: list[float]) -> tuple[list[float], list[int], list[int]]:
    operation: Recurrence = step.operation
    cells = step.known[operation.within[-1]]
    sigmoid, tanh = _step(reaches[0], _SIGMOID_MOST), _step(max(reaches[1:]), _TANH_MOST)
    shift = _SHIFT_MOST
    while shift and ldexp(cells.scale / tanh, shift) > 16383:
        shift -= 1
    of_cell = min(16383, round(ldexp(cells.scale / tanh, shift)))
    offsets = step.memory.offsets
    before = offsets[operation.inputs[2]] if len(operation.inputs) > 2 else 0
    after = operation.besides[1] if len(operation.besides) > 1 else None
    factors = [before, 0 if after is None else offsets[after], cells.zero_point, round(256 / cells.scale)]
    factors += [of_cell, shift, round(32 / step.made.scale)]
    return [sigmoid, sigmoid, sigmoid, tanh], _table(sigmoid, tanh), factors


def _rnn(step: Step, reaches: list[float]) -> tuple[list[float], list[int], list[int]]:
    is_rectified = step.operation.is_rectified
    scale = _step(reaches[0]) if is_rectified else _step(reaches[0], _TANH_MOST)
    sums = scale * (np.arange(at.TABLE) - 128)
    found = np.maximum(sums, 0) if is_rectified else np.tanh(sums)
    return [scale], step.made.of(found).tolist(), []


def _step(reach: float, most: float = np.inf) -> float:
    """Return what a byte of sums stands for that reach so far to both sides."""
    return max(min(reach, most), 2.0**-20) / 127


def _table(sigmoid: float, tanh: float) -> list[int]:
    """Return the table, of these steps: a tanh and one in the upper bits, a sigmoid in the lower."""
    places = np.arange(at.TABLE) - 128
    first = np.rint(_ONE / (1 + np.exp(-sigmoid * places))).astype(np.int64)
    first -= first >= _ONE // 2  # a kernel adds it again: so that 1 takes 12 bits, too
    second = np.minimum(np.rint(_ONE * np.tanh(tanh * places)) + _ONE, 2 * _ONE - 1).astype(np.int64)
    found: list[int] = (second << 16 | first).tolist()
    return found


_KINDS = {"gru": _gru, "lstm": _lstm, "rnn": _rnn}

RECURRENT: dict[type, Maker] = {Recurrence: _recurrent}
