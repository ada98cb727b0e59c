"""Softmax and its logarithm, along one dimension. The output has the input's shape."""

from burnpack.dtype import count
from burnrt import kernels
from burnrt.nn.layer import Layer


class _AlongOne(Layer):
    """What both share: the dimension. dim: its number, counted from the end where negative."""

    in_place = True

    def __init__(self, dim=-1):
        self.dim = dim

    def output_shape(self, shape):
        if not -len(shape) <= self.dim < len(shape) or shape[self.dim] < 1:
            self.refuse(shape, "a dimension %d" % self.dim)
        return shape

    def _parts(self, shape):
        dim = self.dim % len(shape)
        return count(shape[:dim]), shape[dim], count(shape[dim + 1 :])


class Softmax(_AlongOne):
    """e^x / Σ e^x."""

    def bind(self, input, output):
        return [(kernels.softmax, (input.data, output.data) + self._parts(input.shape))]


class LogSoftmax(_AlongOne):
    """x - log Σ e^x."""

    def bind(self, input, output):
        return [(kernels.log_softmax, (input.data, output.data) + self._parts(input.shape))]
