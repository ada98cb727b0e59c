"""Long short-term memory."""

from burnrt import kernels
from burnrt.nn.recurrent import Recurrent

if False:  # for type checkers
    from collections.abc import Sequence
    from typing import Any

    from burnrt.nn.recurrent import GateController, State
    from burnrt.types import NumberBuffer, Numbers, Places, RecurrentSizes


class Lstm(Recurrent):
    """Run a long short-term memory over time steps.

    Of each time step's input x, and of hidden h and cell c of the step before, with σ = sigmoid:

        i, f, o = σ(input_gate(x, h)), σ(forget_gate(x, h)), σ(output_gate(x, h))
        c' = f · c + i · tanh(cell_gate(x, h))
        h' = o · tanh(c')

    This is PyTorch's LSTM and Burn's Lstm. Shapes and the state are those of `Recurrent`.

    input_size, hidden_size: numbers of a time step, and of the hidden state.
    num_layers: how many layers, each fed with the output of the one before.
    bias: whether gates have biases.
    batch_first, bidirectional: as in `Recurrent`.
    dropout: only matters in training.
    proj_size: 0, as the hidden state is not projected.
    input_forget: whether the gates are coupled, as Burn can: f = 1 - i, and there is no forget_gate.
    """

    input_gate: "GateController"
    forget_gate: "GateController | None"
    output_gate: "GateController"
    cell_gate: "GateController"
    dropout: float

    kind = "Lstm"
    has_cell = True

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device: object = None,
        dtype: object = None,
        *,
        input_forget: bool = False,
    ) -> None:
        def make(inputs: int, both: bool) -> "Lstm":
            rest = {"bidirectional": both, "input_forget": input_forget}
            return Lstm(inputs, hidden_size, 1, bias, batch_first, **rest)

        gates = ("input_gate", "forget_gate", "output_gate", "cell_gate")
        sizes = (input_size, hidden_size)
        super().__init__(gates, sizes, num_layers, bias, batch_first, bidirectional, make)
        self.check_settings(dropout, proj_size)
        if input_forget:
            self.forget_gate = None

    def call(
        self,
        x: "Numbers",
        out: "NumberBuffer | None",
        state: "State",
        work: "Sequence[NumberBuffer]",
        sizes: "RecurrentSizes",
        places: "Places",
    ) -> "tuple[Any, tuple[Any, ...]]":
        """Return the call that takes all time steps; the kernel says what it takes."""
        forget = None if self.forget_gate is None else self.forget_gate.numbers()
        gates = (self.input_gate.numbers(), forget, self.output_gate.numbers(), self.cell_gate.numbers())
        buffers = (state.hidden.data, state.cell.data, work)  # type: ignore[union-attr] # which has a cell
        return kernels.lstm, (x, out) + gates + buffers + (sizes, places)
