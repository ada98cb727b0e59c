from burnrt.nn.layer import _Calls
from burnrt.nn.recurrent import OneWay, Recurrent, State
from burnrt.value import Value

class _BothWays(Recurrent):
    reverse: OneWay
    def __init__(self, onwards: OneWay, backwards: OneWay) -> None: ...
    def children(self) -> list[tuple[str, OneWay]]: ...
    def initial_state(self, batch: int = 1) -> tuple[State, State]: ...
    def bind_state(self, input: Value, output: Value, state: tuple[State, State] | None) -> _Calls: ...

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
