from burnrt.nn.layer import Layer
from burnrt.value import Value

class Flatten(Layer):
    start_dim: int
    end_dim: int
    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None: ...
    def forward(self, input: Value) -> Value: ...  # type: ignore[override]

class Identity(Layer):
    def __init__(self, *_: object, **__: object) -> None: ...
    def forward(self, input: Value) -> Value: ...  # type: ignore[override]

class Dropout(Layer):
    p: float
    def __init__(self, p: float = 0.5, inplace: bool = False) -> None: ...
    def forward(self, input: Value) -> Value: ...  # type: ignore[override]
