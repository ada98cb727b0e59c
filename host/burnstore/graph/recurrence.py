"""Recurrent layers as operations: those of several layers, one layer after the other, and what flows in them.

A layer has one direction or two. What a time step adds up in it, and its cell, are values of the pass that no
step makes: they have numbers, so that samples give their ranges.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from burnpack.errors import Unsupported
from burnrt import nn
from burnrt.functional import cat
from burnrt.nn.cells import GruCell, LstmCell, RnnCell
from burnrt.nn.layer import Layer
from burnrt.nn.recurrent import Recurrent
from burnrt.trace import Graph, Step, Traced
from burnstore.graph.operations import Numbers, Operation

Floats = NDArray[np.float32]

_CELLS = (GruCell, LstmCell, RnnCell)
# Gates in the order of their rows in the matrix, and the one whose sums a tanh takes.
_GATES = {
    nn.Gru: ("reset_gate", "update_gate", "new_gate"),
    nn.Lstm: ("input_gate", "forget_gate", "output_gate", "cell_gate"),
    nn.Rnn: ("gate",),
}


@dataclass(frozen=True)
class Gate:
    """What a gate multiplies and adds: weight (hidden, inputs), bias, kept (hidden, hidden), its bias."""

    weight: Numbers
    bias: Numbers
    kept: Numbers
    kept_bias: Numbers


@dataclass(kw_only=True, eq=False)
class Recurrence(Operation):
    """A recurrent layer of one direction or two, over time steps.

    kind: "gru", "lstm" or "rnn". gates: of each direction.
    besides: the hidden states after the last step, and of an LSTM the cells, where they are read.
    within: the sums that sigmoids take, those that a tanh takes (of a GRU two: of the input, and of the
    hidden state), and of an LSTM the cells.
    """

    kind: str
    times: int
    gates: list[list[Gate]]
    is_rectified: bool = False

    @property
    def directions(self) -> int:
        return len(self.gates)

    @property
    def hidden(self) -> int:
        return len(self.gates[0][0].weight)

    @property
    def numbers(self) -> int:
        return int(self.gates[0][0].weight.shape[1])

    @property
    def macs(self) -> int:
        return self.times * sum(gate.weight.size + gate.kept.size for each in self.gates for gate in each)

    @property
    def alike(self) -> list[int]:
        """Values that are hidden states."""
        after = self.besides[0] if self.besides else None
        return [value for value in (self.output, *self.inputs[1:2], after) if value is not None]

    @property
    def cells(self) -> list[int]:
        """Values that are cells."""
        after = self.besides[1:2] or (None,)
        return [value for value in (self.within[-1], *self.inputs[2:3], *after) if value is not None]


class Layered(Layer):
    """One layer of a recurrent one: a direction or two. `computed` runs it, with what flows in it."""

    in_place = False

    def __init__(self, layers: Sequence[Any], is_cell: bool, inner: Sequence[Traced]) -> None:
        self.layers = layers
        self.is_cell = is_cell
        self.within = tuple(value.number for value in inner)
        self.family = next(family for family in _GATES if isinstance(layers[0], family))

    @property
    def kind(self) -> str:
        """The kernel's name."""
        return self.family.__name__.lower()

    def output_shape(self, *shapes: Any) -> Any:
        raise NotImplementedError

    def gates(self) -> list[list[Gate]]:
        """Return the gates of each direction."""
        return [[self._gate(layer, name) for name in _GATES[self.family]] for layer in self.layers]

    def _gate(self, layer: Any, name: str) -> Gate:
        gate = getattr(layer, name)
        if gate is None:  # of an LSTM whose gates are coupled: what the input gate leaves
            found = self._gate(layer, "input_gate")
            return Gate(-found.weight, -found.bias, -found.kept, -found.kept_bias)
        return Gate(*_transform(gate.input_transform), *_transform(gate.hidden_transform))

    def computed(
        self, x: Floats, shape: tuple[int, ...], states: Sequence[Floats]
    ) -> tuple[list[Floats], list[Floats]]:
        """Return the output and the states after the last step, and the numbers of `within`.

        x: the input, whose shape is `shape`. states: those before, if there are any.
        """
        size, hidden = self.layers[0].input_size, self.layers[0].hidden_size
        if self.is_cell:
            steps = x.reshape(1, -1, size)
        elif len(shape) == 3 and self.layers[0].batch_first:
            steps = x.reshape(*shape).swapaxes(0, 1)
        else:
            steps = x.reshape(shape[0], -1, size)
        parts = 2 if self.family is nn.Lstm else 1
        before = [state.reshape(len(self.layers), -1, hidden) for state in states]
        before = before or [np.zeros((len(self.layers), steps.shape[1], hidden))] * parts
        made = [
            self._direction(gates, steps[:: -1 if of else 1], [state[of] for state in before])
            for of, gates in enumerate(self.gates())
        ]
        outs = [out[:: -1 if of else 1] for of, (out, _, _) in enumerate(made)]
        out = np.concatenate(outs, 2)
        out = out.swapaxes(0, 1) if len(shape) == 3 and self.layers[0].batch_first else out
        after = [np.stack([states[part] for _, states, _ in made]) for part in range(parts)]
        inner = [
            np.concatenate(found, axis=None) for found in zip(*(found for *_, found in made), strict=True)
        ]
        answers = after if self.is_cell else [out, *after]
        return [np.ascontiguousarray(each, np.float32).reshape(-1) for each in answers], inner

    def _direction(
        self, gates: list[Gate], steps: Any, states: list[Any]
    ) -> tuple[Any, list[Any], list[Any]]:
        outs, inner = [], []
        for x in steps:
            states, found = getattr(self, "_" + self.kind)(gates, x, *states)
            outs.append(states[0])
            inner.append(found)
        return np.stack(outs), states, [np.stack(each) for each in zip(*inner, strict=True)]

    def _gru(self, gates: list[Gate], x: Any, h: Any) -> tuple[list[Any], list[Any]]:
        sums = [_input(gate, x) + _kept(gate, h) for gate in gates[:2]]
        reset, update = (_sigmoid(each) for each in sums)
        new, old = _input(gates[2], x), _kept(gates[2], h)
        made = np.tanh(new + reset * old)
        return [made + update * (h - made)], [np.stack(sums), new, old]

    def _lstm(self, gates: list[Gate], x: Any, h: Any, c: Any) -> tuple[list[Any], list[Any]]:
        sums = [_input(gate, x) + _kept(gate, h) for gate in gates]
        entering, forget, leaving = (_sigmoid(each) for each in sums[:3])
        c = forget * c + entering * np.tanh(sums[3])
        return [leaving * np.tanh(c), c], [np.stack(sums[:3]), sums[3], c]

    def _rnn(self, gates: list[Gate], x: Any, h: Any) -> tuple[list[Any], list[Any]]:
        sums = _input(gates[0], x) + _kept(gates[0], h)
        is_rectified = self.layers[0].nonlinearity == "relu"
        return [np.maximum(sums, 0) if is_rectified else np.tanh(sums)], [sums]


class Gru(Layered):
    pass


class Lstm(Layered):
    pass


class Rnn(Layered):
    pass


_CLASSES = {nn.Gru: Gru, nn.Lstm: Lstm, nn.Rnn: Rnn}
_INNER = {nn.Gru: 3, nn.Lstm: 3, nn.Rnn: 1}


def unfold(graph: Graph, is_kept: Callable[[Step], bool] = lambda step: False) -> Graph:
    """Put a step of `Layered` for each layer in the place of a recurrent layer's, unless it is
    kept; return the graph."""
    steps, graph.steps = graph.steps, []
    for step in steps:
        if isinstance(step.layer, Recurrent) and not is_kept(step):
            _unfolded(graph, step)
        else:
            graph.steps.append(step)
    return graph


def _unfolded(graph: Graph, step: Step) -> None:
    layer: Any = step.layer
    stacked = layer._layers if layer._is_list else (layer,)
    is_cell = isinstance(layer, _CELLS)
    x, *states = step.inputs
    after = list(step.outputs if is_cell else step.outputs[1:])
    parts: list[list[Traced]] = [[] for _ in after]
    wide = len(stacked) > 1
    for number, one in enumerate(stacked):
        layers = one._layers or (one,)
        if any(not getattr(each, "reset_after", True) for each in layers):
            what = "a Gru that resets before its matrix has no integers "
            what += f"(--float {step.name} computes it in floats)"
            raise Unsupported(what, step.name)
        inner = [graph.value((1,)) for _ in range(_INNER[_family(layers[0])])]
        made = _CLASSES[_family(layers[0])](layers, is_cell, inner)
        count = len(layers)
        given = [state[number * count : (number + 1) * count] if wide else state for state in states]
        shape = (count, *after[0].shape[1:])
        left = [graph.value(shape) for _ in after] if wide else after
        is_last = number == len(stacked) - 1
        outs = (
            [] if is_cell else [step.outputs[0] if is_last else graph.value((*x.shape[:-1], one.output_size))]
        )
        name = step.name if not wide else f"{step.name}.{number}"
        graph.steps.append(Step(name, made, (x, *given), (*outs, *left)))
        x = outs[0] if outs else x
        for part, value in zip(parts, left, strict=True):
            part.append(value)
    if wide:
        _joined(graph, parts, after)


def _joined(graph: Graph, parts: list[list[Traced]], after: list[Traced]) -> None:
    """Put the states of all layers together, where somebody reads them."""
    for values, whole in zip(parts, after, strict=True):
        cat(values, 0)
        made = graph.steps[-1]
        graph.steps[-1] = Step(made.name, made.layer, made.inputs, (whole,))


def _family(layer: Any) -> Any:
    return next(family for family in _GATES if isinstance(layer, family))


def _transform(linear: Any) -> tuple[Numbers, Numbers]:
    weight = np.asarray(linear.weights("weight"), np.float64).reshape(linear.weight.shape).T
    bias = linear.weights("bias")
    return weight, np.zeros(len(weight)) if bias is None else np.asarray(bias, np.float64)


def _input(gate: Gate, x: Any) -> Any:
    return x @ gate.weight.T + gate.bias


def _kept(gate: Gate, h: Any) -> Any:
    return h @ gate.kept.T + gate.kept_bias


def _sigmoid(numbers: Any) -> Any:
    return 0.5 * (1 + np.tanh(numbers / 2))
