"""The table of vectors."""

from burnpack.dtype import count
from burnpack.module import Param
from burnrt import kernels
from burnrt.nn.layer import Layer


class Embedding(Layer):
    """Replace each whole number by the row of that number.

    weight: (num_embeddings, embedding_dim). Input [...] of whole numbers, output [..., embedding_dim].
    """

    def __init__(self, num_embeddings, embedding_dim):
        self.weight = Param((num_embeddings, embedding_dim))

    def output_shape(self, shape):
        return tuple(shape) + (self.weight.shape[1],)

    def bind(self, input, output):
        sizes = (count(input.shape),) + self.weight.shape
        return [(kernels.embedding, (input.data, self.weights("weight"), output.data) + sizes)]
