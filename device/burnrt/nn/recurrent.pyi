from collections.abc import Iterable

from burnrt.nn.layer import Declared
from burnrt.nn.linear import Linear

class GateController(Declared):
    input_transform: Linear
    hidden_transform: Linear
    def __init__(self, input_size: int, hidden_size: int, bias: bool = True) -> None: ...

class _OneWay(Declared):
    hidden_size: int
    batch_first: bool
    def __init__(
        self,
        gates: Iterable[str],
        input_size: int,
        hidden_size: int,
        num_layers: int,
        bias: bool,
        batch_first: bool,
        bidirectional: bool,
    ) -> None: ...

class Lstm(_OneWay):
    input_gate: GateController
    forget_gate: GateController
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
    ) -> None: ...

class Gru(_OneWay):
    update_gate: GateController
    reset_gate: GateController
    new_gate: GateController
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
    ) -> None: ...

class Rnn(_OneWay):
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
    ) -> None: ...

class _BothWays(Declared):
    reverse: _OneWay
    batch_first: bool
    def __init__(self, onwards: _OneWay, backwards: _OneWay, batch_first: bool) -> None: ...
    def children(self) -> list[tuple[str, _OneWay]]: ...

class BiLstm(_BothWays):
    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, batch_first: bool = False
    ) -> None: ...

class BiGru(_BothWays):
    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, batch_first: bool = False
    ) -> None: ...

class BiRnn(_BothWays):
    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, batch_first: bool = False
    ) -> None: ...
