from collections.abc import Sequence

from burnrt.kernels import NumberBuffer, Numbers
from burnrt.nn.recurrent import GateController, OneWay, State, _Gate

class Gru(OneWay):
    update_gate: GateController
    reset_gate: GateController
    new_gate: GateController
    dropout: float
    reset_after: bool
    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device: object = None,
        dtype: object = None,
        *,
        reset_after: bool = True,
    ) -> None: ...
    def gates(self) -> tuple[GateController, GateController, GateController]: ...
    def advance(
        self,
        gates: Sequence[_Gate],
        x: Numbers,
        state: State,
        spares: Sequence[NumberBuffer],
        rows: int,
    ) -> None: ...
