"""Functions applied to every number. The output has the input's shape."""

from burnrt import kernels
from burnrt.nn.layer import Layer


class Gelu(Layer):
    """x · Φ(x): the exact form, with the error function, or with approximate="tanh" the one by a tangent."""

    in_place = True

    def __init__(self, approximate="none"):
        if approximate not in ("none", "tanh"):
            self.refuse_argument("approximate", approximate, "is none or tanh")
        self.approximate = approximate

    def bind(self, input, output):
        kernel = kernels.gelu if self.approximate == "none" else kernels.gelu_tanh
        return [(kernel, (input.data, output.data, len(output.data)))]


class Sigmoid(Layer):
    """1 / (1 + e^-x)."""

    in_place = True

    def bind(self, input, output):
        return [(kernels.sigmoid, (input.data, output.data, len(output.data)))]


class SiLU(Layer):
    """x / (1 + e^-x)."""

    in_place = True

    def __init__(self, inplace=False):
        pass

    def bind(self, input, output):
        return [(kernels.silu, (input.data, output.data, len(output.data)))]


class Tanh(Layer):
    """The hyperbolic tangent."""

    in_place = True

    def bind(self, input, output):
        return [(kernels.tanh, (input.data, output.data, len(output.data)))]
