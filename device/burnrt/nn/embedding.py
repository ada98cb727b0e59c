"""The table of vectors."""

from burnpack.dtype import count
from burnpack.module import Param
from burnrt import kernels
from burnrt.nn.layer import Layer


class Embedding(Layer):
    """Replace each whole number by the row of that number.

    weight: (num_embeddings, embedding_dim). Input [...] of whole numbers, output [..., embedding_dim].
    padding_idx, norm_type, scale_grad_by_freq and sparse only matter in training.
    """

    def __init__(
        self,
        num_embeddings,
        embedding_dim,
        padding_idx=None,
        max_norm=None,
        norm_type=2.0,
        scale_grad_by_freq=False,
        sparse=False,
        _weight=None,
        _freeze=False,
        device=None,
        dtype=None,
    ):
        self.check_sizes(0, num_embeddings=num_embeddings, embedding_dim=embedding_dim)
        if padding_idx is not None:
            self.check_sizes(-num_embeddings, padding_idx=padding_idx)
            self.check_sizes(padding_idx + 1, num_embeddings=num_embeddings)
        if max_norm is not None:
            self.refuse_argument("max_norm", max_norm, "no weight is changed while a model runs")
        if _weight is not None:
            self.refuse_argument("_weight", _weight, "weights come from a store")
        self.weight = Param((num_embeddings, embedding_dim))

    def output_shape(self, shape):
        return tuple(shape) + (self.weight.shape[1],)

    def bind(self, input, output):
        sizes = (count(input.shape),) + self.weight.shape
        return [(kernels.embedding, (input.data, self.weights("weight"), output.data) + sizes)]
