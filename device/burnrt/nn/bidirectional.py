"""Recurrent layers of two directions: one of them reads forwards, one backwards."""

from burnpack.errors import InvalidTensor
from burnrt.nn.gru import Gru
from burnrt.nn.lstm import Lstm
from burnrt.nn.recurrent import Recurrent
from burnrt.nn.rnn import Rnn


class _BothWays(Recurrent):
    """Two layers, called `forward` and `reverse` in paths. A step of the output has the numbers of both.

    Their state is a pair of `State`s.
    """

    def __init__(self, onwards, backwards):
        # An attribute called `forward` would be the forward pass.
        self._onwards = onwards
        self.reverse = backwards
        self.input_size, self.hidden_size = onwards.input_size, onwards.hidden_size
        self.output_size = 2 * self.hidden_size
        self.batch_first = onwards.batch_first

    def children(self):
        return [("forward", self._onwards), ("reverse", self.reverse)]

    def initial_state(self, batch=1):
        """Return a new pair of `State`s for `batch` samples, before the first time step of each direction."""
        return self._onwards.initial_state(batch), self.reverse.initial_state(batch)

    def bind_state(self, input, output, state):
        """Return the calls that fill the output and bring the pair of states up to date.

        state: None for states of the layers' own, which are cleared first.
        """
        if state is None:
            state = (None, None)
        if not isinstance(state, (tuple, list)) or len(state) != 2:
            expected, found = "a pair of states", type(state).__name__
            raise InvalidTensor("wrong state", type(self).__name__, None, None, expected, found)
        onwards, backwards = state
        calls = self._onwards.bind_state(input, output, onwards)
        return calls + self.reverse.bind_state(input, output, backwards, self.hidden_size, True)


class BiLstm(_BothWays):
    """Two `Lstm`s, of both directions."""

    def __init__(self, input_size, hidden_size, bias=True, batch_first=False):
        super().__init__(*[Lstm(input_size, hidden_size, 1, bias, batch_first) for _ in range(2)])


class BiGru(_BothWays):
    """Two `Gru`s, of both directions."""

    def __init__(self, input_size, hidden_size, bias=True, batch_first=False):
        super().__init__(*[Gru(input_size, hidden_size, 1, bias, batch_first) for _ in range(2)])


class BiRnn(_BothWays):
    """Two `Rnn`s, of both directions."""

    def __init__(self, input_size, hidden_size, bias=True, batch_first=False):
        super().__init__(*[Rnn(input_size, hidden_size, 1, "tanh", bias, batch_first) for _ in range(2)])
