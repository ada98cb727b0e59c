"""The plain recurrent layer."""

from burnpack.errors import Unsupported
from burnrt import kernels
from burnrt.nn.recurrent import Recurrent

if False:  # for type checkers
    from collections.abc import Sequence
    from typing import Any

    from burnrt.nn.recurrent import GateController, State
    from burnrt.types import NumberBuffer, Numbers, Places, RecurrentSizes


class Rnn(Recurrent):
    """Run the plain recurrent layer over time steps: h' = tanh(gate(x, h)).

    This is PyTorch's RNN and Burn's Rnn. Shapes and the state are those of `Recurrent`.

    input_size, hidden_size: numbers of a time step, and of the hidden state.
    num_layers: how many layers, each fed with the output of the one before.
    bias: whether gates have biases.
    batch_first, bidirectional: as in `Recurrent`.
    dropout: only matters in training.
    proj_size: 0, as the hidden state is not projected.
    nonlinearity: "tanh", or "relu" in its place.
    """

    gate: "GateController"
    nonlinearity: str
    dropout: float

    kind = "Rnn"
    spares = 2

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        nonlinearity: str = "tanh",
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device: object = None,
        dtype: object = None,
    ) -> None:
        if nonlinearity not in ("tanh", "relu"):
            raise Unsupported("has no such nonlinearity", "Rnn", expected="tanh or relu", found=nonlinearity)

        def make(inputs: int, both: bool) -> "Rnn":
            return Rnn(inputs, hidden_size, 1, nonlinearity, bias, batch_first, bidirectional=both)

        sizes = (input_size, hidden_size)
        super().__init__(("gate",), sizes, num_layers, bias, batch_first, bidirectional, make)
        self.nonlinearity = nonlinearity
        self.check_settings(dropout, proj_size)

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
        settings = (self.nonlinearity == "relu", state.hidden.data, work, sizes, places)
        return kernels.rnn, (x, out, self.gate.numbers()) + settings
