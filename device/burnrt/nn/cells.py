"""Single time steps of recurrent layers, under PyTorch's names: what is around them, a model says itself.

Burn has none. Their parameters are those of the layers that take whole sequences, which PyTorch calls
`weight_ih`, `weight_hh`, `bias_ih` and `bias_hh` here. `Recurrent` is what they share with these layers.
"""

from burnpack.errors import Unsupported
from burnrt.nn.gru import Gru
from burnrt.nn.lstm import Lstm
from burnrt.nn.recurrent import State
from burnrt.nn.rnn import Rnn
from burnrt.value import Value

if False:  # for type checkers
    from typing import Any, NoReturn

    from burnpack.types import Shape
    from burnrt.types import Calls


def _output_shape(self: "Any", shape: "Shape", *_: "Shape") -> "Shape":
    if len(shape) not in (1, 2) or shape[-1] != self.input_size or min(shape) < 1:
        self.refuse(shape, "[batch, %d]" % self.input_size)
    return tuple(shape[:-1]) + (self.hidden_size,)


def _forward(self: "Any", input: "Value", state: "Any" = None) -> "Any":
    if not hasattr(input, "through"):
        self.refuse_input(input)
    shape = self.output_shape(input.shape)
    made = input.into((shape,) * self.parts(), self, *self.given(state, shape))
    return made if self.has_cell else made[0]


def _bind(self: "Any", input: "Value", *values: "Any") -> "Calls":
    before, after = values[: -self.parts()], values[-self.parts() :]
    batch = len(input.data) // self.input_size
    after = self.kept(after, self.output_shape(input.shape))
    state = State(*[Value(part.data, (batch, self.hidden_size)) for part in after])
    return self.begun(before, after) + [self.bound(input, None, state, (batch, 1, 1, 1), (0, 0, False))]  # type: ignore[no-any-return]


def _refused(self: "Any", input: "Value", state: "Any" = None) -> "NoReturn":
    raise Unsupported("takes one time step: call it, or its `step`", type(self).__name__)


class GruCell(Gru):
    """Take one time step of a `Gru`: `cell(x, h)` returns the hidden state after it.

    input_size, hidden_size, bias: as there.

    Input [batch, input_size] or [input_size]; h and the output [batch, hidden_size] or [hidden_size]. Without
    h its numbers are zeros.
    """

    output_shape, bind, forward_with_state = _output_shape, _bind, _refused
    forward = _forward  # type: ignore[assignment] # a cell takes a state

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        device: object = None,
        dtype: object = None,
    ) -> None:
        super().__init__(input_size, hidden_size, 1, bias)


class LstmCell(Lstm):
    """Take one time step of an `Lstm`: `cell(x, (h, c))` returns hidden state and cell after it, (h', c').

    input_size, hidden_size, bias: as there.

    Input [batch, input_size] or [input_size]; each of the others [batch, hidden_size] or [hidden_size].
    Without (h, c) their numbers are zeros.
    """

    output_shape, bind, forward_with_state = _output_shape, _bind, _refused
    forward = _forward  # type: ignore[assignment] # a cell takes a state

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        device: object = None,
        dtype: object = None,
    ) -> None:
        super().__init__(input_size, hidden_size, 1, bias)


class RnnCell(Rnn):
    """Take one time step of an `Rnn`: `cell(x, h)` returns the hidden state after it.

    input_size, hidden_size, bias, nonlinearity: as there.

    Input [batch, input_size] or [input_size]; h and the output [batch, hidden_size] or [hidden_size]. Without
    h its numbers are zeros.
    """

    output_shape, bind, forward_with_state = _output_shape, _bind, _refused
    forward = _forward  # type: ignore[assignment] # a cell takes a state

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        nonlinearity: str = "tanh",
        device: object = None,
        dtype: object = None,
    ) -> None:
        super().__init__(input_size, hidden_size, 1, nonlinearity, bias)
