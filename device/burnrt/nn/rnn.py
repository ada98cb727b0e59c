"""The plain recurrent layer."""

from burnpack.errors import Unsupported
from burnrt import kernels
from burnrt.nn.recurrent import OneWay, gate_product


class Rnn(OneWay):
    """The plain recurrent layer, which has one gate: h' = tanh(gate(x, h)), as PyTorch's RNN and Burn's Rnn.

    nonlinearity: "tanh", or "relu" in its place. dropout only matters in training; device and dtype are taken
    and not used.
    """

    kind = "Rnn"
    spares = 2

    def __init__(
        self,
        input_size,
        hidden_size,
        num_layers=1,
        nonlinearity="tanh",
        bias=True,
        batch_first=False,
        dropout=0.0,
        bidirectional=False,
        proj_size=0,
        device=None,
        dtype=None,
    ):
        if nonlinearity not in ("tanh", "relu"):
            raise Unsupported("has no such nonlinearity", "Rnn", expected="tanh or relu", found=nonlinearity)

        def make(inputs, both):
            return Rnn(inputs, hidden_size, 1, nonlinearity, bias, batch_first, bidirectional=both)

        sizes = (input_size, hidden_size)
        super().__init__(("gate",), sizes, num_layers, bias, batch_first, bidirectional, make)
        self.nonlinearity = nonlinearity
        self.check_settings(dropout, proj_size)

    def gates(self):
        return (self.gate,)

    def advance(self, gates, x, state, spares, rows):
        hidden, size = state.hidden.data, rows * self.hidden_size
        gate_product(gates[0], x, hidden, spares[0], spares[1], rows, self.input_size, self.hidden_size)
        bend = kernels.relu if self.nonlinearity == "relu" else kernels.tanh
        bend(spares[0], hidden, size)
