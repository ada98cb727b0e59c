"""Functions applied to every number. The output has the input's shape."""

from burnrt import kernels
from burnrt.nn.layer import Layer


class Relu(Layer):
    """x, or 0 where x is negative."""

    def run(self, input, output):
        kernels.relu(input.data, output.data, len(output.data))


class Gelu(Layer):
    """x · Φ(x): the exact form, with the error function."""

    def run(self, input, output):
        kernels.gelu(input.data, output.data, len(output.data))


class Sigmoid(Layer):
    """1 / (1 + e^-x)."""

    def run(self, input, output):
        kernels.sigmoid(input.data, output.data, len(output.data))


class Tanh(Layer):
    """The hyperbolic tangent."""

    def run(self, input, output):
        kernels.tanh(input.data, output.data, len(output.data))
