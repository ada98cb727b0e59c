from collections.abc import Sequence

from burnrt.kernels import NumberBuffer, Numbers
from burnrt.nn.recurrent import GateController, OneWay, State, _Gate

class Lstm(OneWay):
    input_gate: GateController
    forget_gate: GateController | None
    output_gate: GateController
    cell_gate: GateController
    dropout: float
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
        input_forget: bool = False,
    ) -> None: ...
    def gates(self) -> tuple[GateController, GateController | None, GateController, GateController]: ...
    def advance(
        self,
        gates: Sequence[_Gate | None],
        x: Numbers,
        state: State,
        spares: Sequence[NumberBuffer],
        rows: int,
    ) -> None: ...
