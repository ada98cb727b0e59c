from collections.abc import Sequence

from burnrt.kernels import NumberBuffer, Numbers
from burnrt.nn.recurrent import GateController, OneWay, State, _Gate

class Rnn(OneWay):
    gate: GateController
    nonlinearity: str
    dropout: float
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
    ) -> None: ...
    def gates(self) -> tuple[GateController]: ...
    def advance(
        self,
        gates: Sequence[_Gate],
        x: Numbers,
        state: State,
        spares: Sequence[NumberBuffer],
        rows: int,
    ) -> None: ...
