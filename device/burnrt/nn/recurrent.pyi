from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from burnpack.dtype import _Shape
from burnrt.kernels import NumberBuffer, Numbers
from burnrt.nn.layer import Layer, _Calls
from burnrt.nn.linear import Linear
from burnrt.nn.module import Module
from burnrt.value import Value

_Gate: TypeAlias = Sequence[Numbers | None]

class State:
    hidden: Value
    cell: Value | None
    def __init__(self, hidden: Value, cell: Value | None = None) -> None: ...
    def clear(self) -> None: ...

class GateController(Module):
    input_transform: Linear
    hidden_transform: Linear
    def __init__(self, input_size: int, hidden_size: int, bias: bool = True) -> None: ...
    def numbers(self) -> _Gate: ...

def gate_product(
    numbers: _Gate,
    x: Numbers,
    hidden: Numbers,
    out: NumberBuffer,
    spare: NumberBuffer,
    rows: int,
    inputs: int,
    size: int,
) -> None: ...

class Recurrent(Layer):
    input_size: int
    hidden_size: int
    output_size: int
    batch_first: bool
    has_cell: bool
    states: int
    def output_shape(self, shape: _Shape, *_: _Shape) -> _Shape: ...
    def forward(self, input: Value, state: Any = None) -> tuple[Value, Any]: ...  # type: ignore[override]
    def forward_with_state(self, input: Value, state: Any = None) -> tuple[Value, Any]: ...
    def bind(self, input: Value, *values: Value | None) -> _Calls: ...
    def layout(self, shape: _Shape) -> tuple[int, int, int, int]: ...

class OneWay(Recurrent):
    kind: str
    spares: int
    def __init__(
        self,
        gates: Iterable[str],
        sizes: tuple[int, int],
        num_layers: int,
        bias: bool,
        batch_first: bool,
        bidirectional: bool,
        make: Callable[[int, bool], OneWay],
    ) -> None: ...
    def check_settings(self, dropout: float, proj_size: int) -> None: ...
    def initial_state(self, batch: int = 1) -> Any: ...
    def state_of(self, parts: Sequence[Value], first: int) -> Any: ...
    def step(self, input: Value, state: Any) -> Value: ...
    def bind_state(
        self,
        input: Value,
        output: Value,
        state: Any,
        offset: int = 0,
        backwards: bool = False,
    ) -> _Calls: ...
