"""The table of vectors."""

from burnpack.dtype import count
from burnpack.module import Param
from burnrt import kernels
from burnrt.nn.layer import Layer

if False:  # for type checkers
    from burnpack.types import Shape
    from burnrt.types import Calls
    from burnrt.value import Value


class Embedding(Layer):
    """Replace each whole number by the row of that number.

    weight: (num_embeddings, embedding_dim).
    max_norm: None, as rows are not rescaled.
    padding_idx, norm_type, scale_grad_by_freq, sparse: only matter in training.

    Input [...] of whole numbers from 0 to num_embeddings - 1, output [..., embedding_dim].
    """

    weight: "Param"

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
    ) -> None:
        self.check_sizes(0, num_embeddings=num_embeddings, embedding_dim=embedding_dim)
        if padding_idx is not None:
            self.check_sizes(-num_embeddings, padding_idx=padding_idx)
            self.check_sizes(padding_idx + 1, num_embeddings=num_embeddings)
        if max_norm is not None:
            self.refuse_argument("max_norm", max_norm, "no weight is changed while a model runs")
        if _weight is not None:
            self.refuse_argument("_weight", _weight, "weights come from a store")
        self.weight = Param((num_embeddings, embedding_dim))

    def output_shape(self, shape: "Shape") -> "Shape":
        return tuple(shape) + (self.weight.shape[1],)

    def bind(self, input: "Value", output: "Value") -> "Calls":
        sizes = (count(input.shape),) + self.weight.shape
        return [(kernels.embedding, (input.data, self.weights("weight"), output.data) + sizes)]
