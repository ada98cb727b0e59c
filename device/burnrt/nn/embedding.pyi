from burnpack.module import Param
from burnrt.nn.layer import Layer, _Calls
from burnrt.value import Value

class Embedding(Layer):
    weight: Param
    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        max_norm: None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
        _weight: None = None,
        _freeze: bool = False,
        device: object = None,
        dtype: object = None,
    ) -> None: ...
    def bind(self, input: Value, output: Value) -> _Calls: ...
