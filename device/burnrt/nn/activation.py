"""Functions applied to every number. The output has the input's shape."""

from burnrt import kernels
from burnrt.nn.layer import Layer


class Gelu(Layer):
    """x · Φ(x): the exact form, with the error function."""

    in_place = True

    def bind(self, input, output):
        return [(kernels.gelu, (input.data, output.data, len(output.data)))]


class Sigmoid(Layer):
    """1 / (1 + e^-x)."""

    in_place = True

    def bind(self, input, output):
        return [(kernels.sigmoid, (input.data, output.data, len(output.data)))]


class SiLU(Layer):
    """x / (1 + e^-x)."""

    in_place = True

    def bind(self, input, output):
        return [(kernels.silu, (input.data, output.data, len(output.data)))]


class Tanh(Layer):
    """The hyperbolic tangent."""

    in_place = True

    def bind(self, input, output):
        return [(kernels.tanh, (input.data, output.data, len(output.data)))]
