"""Normalisation layers, as they are after training."""

from burnpack.dtype import count
from burnpack.module import Param
from burnrt import kernels
from burnrt.nn.layer import Layer


class BatchNorm(Layer):
    """Normalise each channel by the mean and variance that training left.

    gamma, beta, running_mean, running_var: (num_features).
    Input [batch, num_features, ...] of any rank from 2 on; the output has the same shape.
    momentum only matters in training; it is taken so that a model's text can say it.
    """

    def __init__(self, num_features, eps=1e-5, momentum=0.1):
        self.gamma = Param((num_features,))
        self.beta = Param((num_features,))
        self.running_mean = Param((num_features,))
        self.running_var = Param((num_features,))
        self.epsilon = eps
        self.momentum = momentum

    def output_shape(self, shape):
        if len(shape) < 2 or shape[1] != self.gamma.shape[0]:
            self.refuse(shape, "[batch, %d, ...]" % self.gamma.shape[0])
        return shape

    def run(self, input, output):
        names = ("gamma", "beta", "running_mean", "running_var")
        numbers = [self.weights(name) for name in names] + [self.epsilon]
        sizes = (input.shape[0], input.shape[1], count(input.shape[2:]))
        kernels.batch_norm(input.data, *numbers, output.data, *sizes)


class LayerNorm(Layer):
    """Normalise each row by its own mean and variance.

    gamma, beta: (normalized_shape), or None without elementwise_affine; beta also without bias.
    Input [..., normalized_shape]; the output has the same shape.
    normalized_shape: one number (as in Burn), or the last extents of the input.
    """

    def __init__(self, normalized_shape, eps=1e-5, elementwise_affine=True, bias=True):
        shape = (normalized_shape,) if isinstance(normalized_shape, int) else tuple(normalized_shape)
        self.gamma = Param(shape) if elementwise_affine else None
        self.beta = Param(shape) if elementwise_affine and bias else None
        self.normalized_shape = shape
        self.epsilon = eps

    def output_shape(self, shape):
        rank = len(self.normalized_shape)
        if tuple(shape[len(shape) - rank :]) != self.normalized_shape:
            self.refuse(shape, "[..., %s]" % ", ".join([str(extent) for extent in self.normalized_shape]))
        return shape

    def run(self, input, output):
        size = count(self.normalized_shape)
        rows = count(input.shape[: len(input.shape) - len(self.normalized_shape)])
        gamma, beta = self.weights("gamma"), self.weights("beta")
        kernels.layer_norm(input.data, gamma, beta, self.epsilon, output.data, rows, size)
