"""The gated recurrent unit."""

from burnrt import kernels
from burnrt.nn.recurrent import Recurrent

if False:  # for type checkers
    from collections.abc import Sequence
    from typing import Any

    from burnrt.nn.recurrent import GateController, State
    from burnrt.types import NumberBuffer, Numbers, Places, RecurrentSizes


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
        gates = (self.update_gate.numbers(), self.reset_gate.numbers(), self.new_gate.numbers())
        settings = (self.reset_after, state.hidden.data, work, sizes, places)
        return kernels.gru, (x, out) + gates + settings
