"""Smooth functions applied to every number. The output has the input's shape."""

from burnrt import kernels
from burnrt.nn.layer import Layer

if False:  # for type checkers
    from burnrt.types import Calls
    from burnrt.value import Value


class ELU(Layer):
    """Compute x, or alpha · (e^x - 1) where x is not positive.

    Input of any shape [...]; the output has the same shape.
    """

    alpha: float

    in_place = True
    divisor = 1.0

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        self.alpha = alpha

    def bind(self, input: "Value", output: "Value") -> "Calls":
        return [(kernels.elu, (input.data, self.alpha, self.divisor, output.data, len(output.data)))]


class CELU(ELU):
    """Compute x, or alpha · (e^(x / alpha) - 1) where x is not positive.

    Input of any shape [...]; the output has the same shape.
    """

    def __init__(self, alpha: float = 1.0, inplace: bool = False) -> None:
        if not alpha:
            self.refuse_argument("alpha", alpha, "is not 0")
        super().__init__(alpha)
        self.divisor = alpha


class SELU(ELU):
    """Compute s · x, or s · a · (e^x - 1) where x is not positive, with the s and a of its authors.

    Self-Normalizing Neural Networks (arXiv 1706.02515). Input of any shape [...]; the output has the same
    shape.
    """

    def __init__(self, inplace: bool = False) -> None:
        super().__init__(1.6732632423543772)

    def bind(self, input: "Value", output: "Value") -> "Calls":
        out, factors = output.data, (kernels.floats([1.0507009873554805]), kernels.floats([0.0]))
        return super().bind(input, output) + [(kernels.affine, (out,) + factors + (out, 1, 1, len(out)))]


class Softplus(Layer):
    """Compute log(1 + e^(beta · x)) / beta, or x where beta · x is above the threshold.

    Input of any shape [...]; the output has the same shape.
    """

    beta: float
    threshold: float

    in_place = True

    def __init__(self, beta: float = 1.0, threshold: float = 20.0) -> None:
        if not beta:
            self.refuse_argument("beta", beta, "is not 0")
        self.beta = beta
        self.threshold = threshold

    def bind(self, input: "Value", output: "Value") -> "Calls":
        settings = (self.beta, self.threshold)
        return [(kernels.softplus, (input.data,) + settings + (output.data, len(output.data)))]


class LogSigmoid(Softplus):
    """Compute log(1 / (1 + e^-x)).

    Input of any shape [...]; the output has the same shape.
    """

    def __init__(self) -> None:
        super().__init__(-1.0)  # which turns both the input and the output


class Mish(Layer):
    """Compute x · tanh(log(1 + e^x)).

    Input of any shape [...]; the output has the same shape.
    """

    in_place = True

    def __init__(self, inplace: bool = False) -> None:
        pass

    def bind(self, input: "Value", output: "Value") -> "Calls":
        return [(kernels.mish, (input.data, output.data, len(output.data)))]


class Softsign(Layer):
    """Compute x / (1 + |x|).

    Input of any shape [...]; the output has the same shape.
    """

    in_place = True

    def bind(self, input: "Value", output: "Value") -> "Calls":
        return [(kernels.softsign, (input.data, output.data, len(output.data)))]
