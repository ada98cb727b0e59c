from burnpack.module import Param
from burnrt.nn.layer import Layer, _Calls
from burnrt.value import Value

class Embedding(Layer):
    weight: Param
    def __init__(self, num_embeddings: int, embedding_dim: int) -> None: ...
    def bind(self, input: Value, output: Value) -> _Calls: ...
