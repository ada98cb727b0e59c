"""The plain recurrent layer."""

from burnpack.errors import Unsupported
from burnrt import kernels
from burnrt.nn.recurrent import Recurrent, gate_product

if False:  # for type checkers
    from collections.abc import Sequence

    from burnrt.nn.recurrent import GateController, State
    from burnrt.types import Gate, NumberBuffer, Numbers


class Rnn(Recurrent):
    """The plain recurrent layer, which has one gate: h' = tanh(gate(x, h)), as PyTorch's RNN and Burn's Rnn.

    nonlinearity: "tanh", or "relu" in its place. dropout only matters in training; device and dtype are taken
    and not used.
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

    def gates(self) -> "tuple[GateController]":
        return (self.gate,)

    def advance(
        self,
        gates: "Sequence[Gate]",
        x: "Numbers",
        state: "State",
        spares: "Sequence[NumberBuffer]",
        rows: int,
    ) -> None:
        hidden, size = state.hidden.data, rows * self.hidden_size
        gate_product(gates[0], x, hidden, spares[0], spares[1], rows, self.input_size, self.hidden_size)
        bend = kernels.relu if self.nonlinearity == "relu" else kernels.tanh
        bend(spares[0], hidden, size)
