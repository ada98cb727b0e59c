"""Recurrent layers of two directions, by Burn's names: one of them reads forwards, one backwards.

`nn.LSTM(..., bidirectional=True)` is the same as `nn.BiLstm(...)`.
"""

from burnrt.nn.gru import Gru
from burnrt.nn.lstm import Lstm
from burnrt.nn.rnn import Rnn


class BiLstm(Lstm):
    """An `Lstm` of two directions."""

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, batch_first: bool = False
    ) -> None:
        super().__init__(input_size, hidden_size, 1, bias, batch_first, bidirectional=True)


class BiGru(Gru):
    """A `Gru` of two directions."""

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, batch_first: bool = False
    ) -> None:
        super().__init__(input_size, hidden_size, 1, bias, batch_first, bidirectional=True)


class BiRnn(Rnn):
    """An `Rnn` of two directions."""

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, batch_first: bool = False
    ) -> None:
        super().__init__(input_size, hidden_size, 1, "tanh", bias, batch_first, bidirectional=True)
