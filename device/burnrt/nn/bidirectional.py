"""Recurrent layers of two directions, by Burn's names: one of them reads forwards, one backwards.

`nn.LSTM(..., bidirectional=True)` is the same as `nn.BiLstm(...)`.
"""

from burnrt.nn.gru import Gru
from burnrt.nn.lstm import Lstm
from burnrt.nn.rnn import Rnn


class BiLstm(Lstm):
    """Run an `Lstm` in both directions over time steps.

    input_size, hidden_size, bias, batch_first: as there.
    """

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, batch_first: bool = False
    ) -> None:
        super().__init__(input_size, hidden_size, 1, bias, batch_first, bidirectional=True)


class BiGru(Gru):
    """Run a `Gru` in both directions over time steps.

    input_size, hidden_size, bias, batch_first: as there.
    """

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, batch_first: bool = False
    ) -> None:
        super().__init__(input_size, hidden_size, 1, bias, batch_first, bidirectional=True)


class BiRnn(Rnn):
    """Run an `Rnn` in both directions over time steps.

    input_size, hidden_size, bias, batch_first: as there.
    """

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, batch_first: bool = False
    ) -> None:
        super().__init__(input_size, hidden_size, 1, "tanh", bias, batch_first, bidirectional=True)
