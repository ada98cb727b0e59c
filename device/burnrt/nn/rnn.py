"""The plain recurrent layer."""

from burnpack.errors import Unsupported
from burnrt import kernels
from burnrt.nn.recurrent import OneWay, gate_product


class Rnn(OneWay):
    """The plain recurrent layer, which has one gate: h' = tanh(gate(x, h)), as PyTorch's RNN and Burn's Rnn.

    nonlinearity: "tanh", or "relu" in its place. Of PyTorch's RNN of several layers each is one of these, in
    a list. dropout only matters in training.
    """

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
        super().__init__(("gate",), input_size, hidden_size, num_layers, bias, batch_first, bidirectional)
        if nonlinearity not in ("tanh", "relu"):
            raise Unsupported("has no such nonlinearity", "Rnn", expected="tanh or relu", found=nonlinearity)
        self.nonlinearity = nonlinearity
        self.check_settings(dropout, proj_size)

    def gates(self):
        return (self.gate,)

    def advance(self, gates, x, state, spares, rows):
        hidden, size = state.hidden.data, rows * self.hidden_size
        gate_product(gates[0], x, hidden, spares[0], spares[1], rows, self.input_size, self.hidden_size)
        bend = kernels.relu if self.nonlinearity == "relu" else kernels.tanh
        bend(spares[0], hidden, size)
