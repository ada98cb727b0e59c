"""The gated recurrent unit."""

from burnrt import kernels
from burnrt.nn.recurrent import Recurrent, gate_product

if False:  # for type checkers
    from collections.abc import Sequence

    from burnrt.nn.recurrent import GateController, State
    from burnrt.types import Gate, NumberBuffer, Numbers


class Gru(Recurrent):
    """Run a gated recurrent unit over time steps.

    Of each time step's input x, and of the hidden state h of the step before, with σ = sigmoid:

        z, r = σ(update_gate(x, h)), σ(reset_gate(x, h))
        n = tanh(input_transform(x) + r · hidden_transform(h)), both of new_gate
        h' = (1 - z) · n + z · h

    This is PyTorch's GRU and Burn's Gru. Shapes and the state are those of `Recurrent`.

    input_size, hidden_size: numbers of a time step, and of the hidden state.
    num_layers: how many layers, each fed with the output of the one before.
    bias: whether gates have biases.
    batch_first, bidirectional: as in `Recurrent`.
    dropout: only matters in training.
    proj_size: 0, as the hidden state is not projected.
    reset_after: True as written here; False is Burn's other way, with hidden_transform(r · h).
    """

    update_gate: "GateController"
    reset_gate: "GateController"
    new_gate: "GateController"
    dropout: float
    reset_after: bool

    kind = "Gru"

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
        reset_after: bool = True,
    ) -> None:
        def make(inputs: int, both: bool) -> "Gru":
            rest = {"bidirectional": both, "reset_after": reset_after}
            return Gru(inputs, hidden_size, 1, bias, batch_first, **rest)

        gates, sizes = ("update_gate", "reset_gate", "new_gate"), (input_size, hidden_size)
        super().__init__(gates, sizes, num_layers, bias, batch_first, bidirectional, make)
        self.check_settings(dropout, proj_size)
        self.reset_after = reset_after

    def gates(self) -> "tuple[GateController, GateController, GateController]":
        """Return the layer's gates, in the order in which `advance` takes them."""
        return self.update_gate, self.reset_gate, self.new_gate

    def advance(
        self,
        gates: "Sequence[Gate]",
        x: "Numbers",
        state: "State",
        spares: "Sequence[NumberBuffer]",
        rows: int,
    ) -> None:
        """Take one time step: change `state` in place.

        gates: the numbers of each gate, as `GateController.numbers` returns them, or None.
        x: (rows, input_size), the inputs.
        state: a `State` of these rows.
        spares: buffers of (rows, hidden_size) to work in.
        rows: how many samples.
        """
        update, reset, new = gates
        hidden = state.hidden.data
        candidate, gate, spare = spares
        inputs, width = self.input_size, self.hidden_size
        size = rows * width
        gate_product(reset, x, hidden, gate, spare, rows, inputs, width)
        kernels.sigmoid(gate, gate, size)
        if self.reset_after:
            kernels.linear(hidden, new[2], new[3], spare, rows, width, width)
            kernels.multiply(gate, spare, spare, size)
        else:
            kernels.multiply(gate, hidden, gate, size)
            kernels.linear(gate, new[2], new[3], spare, rows, width, width)
        kernels.linear(x, new[0], new[1], candidate, rows, inputs, width)
        kernels.add(candidate, spare, candidate, size)
        kernels.tanh(candidate, candidate, size)
        gate_product(update, x, hidden, gate, spare, rows, inputs, width)
        kernels.sigmoid(gate, gate, size)
        kernels.lerp(candidate, hidden, gate, hidden, size)
