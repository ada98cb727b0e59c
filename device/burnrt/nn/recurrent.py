"""Recurrent layers: their parameters, one controller a gate as in Burn."""

from burnpack.errors import Unsupported
from burnrt.nn.layer import Declared
from burnrt.nn.linear import Linear


class GateController(Declared):
    """One gate: a Linear for the input, a Linear for the hidden state."""

    def __init__(self, input_size, hidden_size, bias=True):
        self.input_transform = Linear(input_size, hidden_size, bias)
        self.hidden_transform = Linear(hidden_size, hidden_size, bias)


class _OneWay(Declared):
    """What layers of one direction share. What PyTorch can be asked for and Burn does not have is refused."""

    def __init__(self, gates, input_size, hidden_size, num_layers, bias, batch_first, bidirectional):
        name = type(self).__name__
        if num_layers != 1:
            raise Unsupported("has one layer: make a list of %d" % num_layers, name)
        if bidirectional:
            raise Unsupported("has one direction: Bi%s has two" % name, name)
        for gate in gates:
            setattr(self, gate, GateController(input_size, hidden_size, bias))
        self.hidden_size = hidden_size
        self.batch_first = batch_first


class Lstm(_OneWay):
    """Long short-term memory: input_gate, forget_gate, output_gate, cell_gate.

    Of PyTorch's LSTM of several layers each is one of these, in a list.
    """

    def __init__(
        self,
        input_size,
        hidden_size,
        num_layers=1,
        bias=True,
        batch_first=False,
        dropout=0.0,
        bidirectional=False,
    ):
        gates = ("input_gate", "forget_gate", "output_gate", "cell_gate")
        super().__init__(gates, input_size, hidden_size, num_layers, bias, batch_first, bidirectional)
        self.dropout = dropout


class Gru(_OneWay):
    """Gated recurrent unit: update_gate, reset_gate, new_gate.

    Of PyTorch's GRU of several layers each is one of these, in a list.
    """

    def __init__(
        self,
        input_size,
        hidden_size,
        num_layers=1,
        bias=True,
        batch_first=False,
        dropout=0.0,
        bidirectional=False,
    ):
        gates = ("update_gate", "reset_gate", "new_gate")
        super().__init__(gates, input_size, hidden_size, num_layers, bias, batch_first, bidirectional)
        self.dropout = dropout


class Rnn(_OneWay):
    """The plain recurrent layer, which has one gate."""

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
    ):
        super().__init__(("gate",), input_size, hidden_size, num_layers, bias, batch_first, bidirectional)
        self.nonlinearity = nonlinearity
        self.dropout = dropout


class _BothWays(Declared):
    """Two layers, called `forward` and `reverse` in paths: one reads forwards, one backwards."""

    def __init__(self, onwards, backwards, batch_first):
        # An attribute called `forward` would be the forward pass.
        self._onwards = onwards
        self.reverse = backwards
        self.batch_first = batch_first

    def children(self):
        return [("forward", self._onwards), ("reverse", self.reverse)]


class BiLstm(_BothWays):
    """Two `Lstm`s, of both directions."""

    def __init__(self, input_size, hidden_size, bias=True, batch_first=False):
        pair = [Lstm(input_size, hidden_size, 1, bias, batch_first) for _ in range(2)]
        super().__init__(pair[0], pair[1], batch_first)


class BiGru(_BothWays):
    """Two `Gru`s, of both directions."""

    def __init__(self, input_size, hidden_size, bias=True, batch_first=False):
        pair = [Gru(input_size, hidden_size, 1, bias, batch_first) for _ in range(2)]
        super().__init__(pair[0], pair[1], batch_first)


class BiRnn(_BothWays):
    """Two `Rnn`s, of both directions."""

    def __init__(self, input_size, hidden_size, bias=True, batch_first=False):
        pair = [Rnn(input_size, hidden_size, bias=bias, batch_first=batch_first) for _ in range(2)]
        super().__init__(pair[0], pair[1], batch_first)
