from burnrt.nn.gru import Gru
from burnrt.nn.lstm import Lstm
from burnrt.nn.rnn import Rnn

class BiLstm(Lstm):
    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, batch_first: bool = False
    ) -> None: ...

class BiGru(Gru):
    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, batch_first: bool = False
    ) -> None: ...

class BiRnn(Rnn):
    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, batch_first: bool = False
    ) -> None: ...
