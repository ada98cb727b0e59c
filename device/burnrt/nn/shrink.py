"""Functions applied to every number that leave small ones out. The output has the input's shape."""

from burnrt import kernels
from burnrt.nn.layer import Layer

if False:  # for type checkers
    from burnrt.types import Calls
    from burnrt.value import Value


_INFINITY = float("inf")


class Threshold(Layer):
    """Compute x, or the value where x is not above the threshold.

    threshold, value: numbers.

    Input of any shape [...]; the output has the same shape.
    """

    threshold: float
    value: float

    in_place = True

    def __init__(self, threshold: float, value: float, inplace: bool = False) -> None:
        self.threshold = threshold
        self.value = value

    def bind(self, input: "Value", output: "Value") -> "Calls":
        settings = (-_INFINITY, self.threshold, self.value, output.data, len(output.data))
        return [(kernels.threshold, (input.data,) + settings)]


class Hardshrink(Layer):
    """Compute x, or 0 where x is not further from 0 than lambd.

    Input of any shape [...]; the output has the same shape.
    """

    lambd: float

    in_place = True

    def __init__(self, lambd: float = 0.5) -> None:
        self.lambd = lambd

    def bind(self, input: "Value", output: "Value") -> "Calls":
        settings = (-self.lambd, self.lambd, 0.0, output.data, len(output.data))
        return [(kernels.threshold, (input.data,) + settings)]


class Softshrink(Layer):
    """Compute x, brought nearer to 0 by lambd, or 0 where it is not further than that.

    Input of any shape [...]; the output has the same shape.
    """

    lambd: float

    def __init__(self, lambd: float = 0.5) -> None:
        if not 0 <= lambd < _INFINITY:
            self.refuse_argument("lambd", lambd, "is a number from 0 on")
        self.lambd = lambd

    def bind(self, input: "Value", output: "Value") -> "Calls":
        settings = (-self.lambd, self.lambd, output.data, len(output.data))
        return [(kernels.clamp, (input.data,) + settings)] + _without(input, output)


class Tanhshrink(Layer):
    """Compute x - tanh x.

    Input of any shape [...]; the output has the same shape.
    """

    def bind(self, input: "Value", output: "Value") -> "Calls":
        return [(kernels.tanh, (input.data, output.data, len(output.data)))] + _without(input, output)


def _without(input: "Value", output: "Value") -> "Calls":
    """Return the calls that take what is in the output from the input."""
    x, out, size = input.data, output.data, len(output.data)
    turned = (kernels.floats([-1.0]), kernels.floats([0.0]))
    return [(kernels.affine, (out,) + turned + (out, 1, 1, size)), (kernels.add, (x, out, out, size))]
