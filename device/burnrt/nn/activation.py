"""Functions applied to every number. The output has the input's shape."""

from burnrt import kernels
from burnrt.nn.layer import Layer

if False:  # for type checkers
    from burnrt.types import Calls
    from burnrt.value import Value


class Gelu(Layer):
    """Compute x · Φ(x), Φ the normal distribution's cumulative function.

    approximate: "none" for the exact form, with the error function, or "tanh" for the one with a tangent.

    Input of any shape [...]; the output has the same shape.
    """

    approximate: str

    in_place = True

    def __init__(self, approximate: str = "none") -> None:
        if approximate not in ("none", "tanh"):
            self.refuse_argument("approximate", approximate, "is none or tanh")
        self.approximate = approximate

    def bind(self, input: "Value", output: "Value") -> "Calls":
        kernel = kernels.gelu if self.approximate == "none" else kernels.gelu_tanh
        return [(kernel, (input.data, output.data, len(output.data)))]


class Sigmoid(Layer):
    """Compute 1 / (1 + e^-x).

    Input of any shape [...]; the output has the same shape.
    """

    in_place = True

    def bind(self, input: "Value", output: "Value") -> "Calls":
        return [(kernels.sigmoid, (input.data, output.data, len(output.data)))]


class SiLU(Layer):
    """Compute x / (1 + e^-x).

    Input of any shape [...]; the output has the same shape.
    """

    in_place = True

    def __init__(self, inplace: bool = False) -> None:
        pass

    def bind(self, input: "Value", output: "Value") -> "Calls":
        return [(kernels.silu, (input.data, output.data, len(output.data)))]


class Tanh(Layer):
    """Compute the hyperbolic tangent.

    Input of any shape [...]; the output has the same shape.
    """

    in_place = True

    def bind(self, input: "Value", output: "Value") -> "Calls":
        return [(kernels.tanh, (input.data, output.data, len(output.data)))]
