"""Functions applied to every number that are made of straight lines. The output has the input's shape."""

from math import isinf

from burnpack.errors import InvalidTensor
from burnrt import kernels
from burnrt.nn.layer import Layer

if False:  # for type checkers
    from burnrt.types import Calls
    from burnrt.value import Value


class Relu(Layer):
    """Compute x, or 0 where x is negative.

    Input of any shape [...]; the output has the same shape.
    """

    in_place = True

    def __init__(self, inplace: bool = False) -> None:
        pass

    def bind(self, input: "Value", output: "Value") -> "Calls":
        return [(kernels.relu, (input.data, output.data, len(output.data)))]


class Hardtanh(Layer):
    """Compute x, kept between min_val and max_val.

    min_val, max_val: the bounds. Both are finite, as in Burn.
    min_value, max_value: other names of the two.

    Input of any shape [...]; the output has the same shape.
    """

    min_val: float
    max_val: float

    in_place = True

    def __init__(
        self,
        min_val: float = -1.0,
        max_val: float = 1.0,
        inplace: bool = False,
        min_value: float | None = None,
        max_value: float | None = None,
    ) -> None:
        min_val = min_val if min_value is None else min_value
        max_val = max_val if max_value is None else max_value
        if not min_val < max_val or isinf(min_val) or isinf(max_val):
            found = "%g and %g" % (min_val, max_val)
            raise InvalidTensor(
                "wrong bounds", "Hardtanh", expected="finite ones, the lower first", found=found
            )
        self.min_val = min_val
        self.max_val = max_val

    def bind(self, input: "Value", output: "Value") -> "Calls":
        return [(kernels.clamp, (input.data, self.min_val, self.max_val, output.data, len(output.data)))]


class Relu6(Hardtanh):
    """Compute x, kept between 0 and 6.

    Input of any shape [...]; the output has the same shape.
    """

    def __init__(self, inplace: bool = False) -> None:
        super().__init__(0.0, 6.0)


class LeakyRelu(Layer):
    """Compute x, or negative_slope · x where x is negative.

    Input of any shape [...]; the output has the same shape.
    """

    negative_slope: float

    in_place = True

    def __init__(self, negative_slope: float = 0.01, inplace: bool = False) -> None:
        self.negative_slope = negative_slope

    def bind(self, input: "Value", output: "Value") -> "Calls":
        slopes = kernels.floats([self.negative_slope])  # one channel
        return [(kernels.prelu, (input.data, slopes, output.data, 1, 1, len(output.data)))]


class RReLU(LeakyRelu):
    """Compute x, or x times the mean of both slopes where x is negative: as RReLU is after training.

    lower, upper: slopes.

    Input of any shape [...]; the output has the same shape.
    """

    def __init__(self, lower: float = 1 / 8, upper: float = 1 / 3, inplace: bool = False) -> None:
        if not lower <= upper:
            self.refuse_argument("upper", upper, "is not below lower, %g" % lower)
        super().__init__((lower + upper) / 2)


class HardSigmoid(Layer):
    """Compute alpha · x + beta, kept between 0 and 1.

    Input of any shape [...]; the output has the same shape.
    """

    alpha: float
    beta: float

    in_place = True

    def __init__(self, alpha: float = 0.2, beta: float = 0.5) -> None:
        self.alpha = alpha
        self.beta = beta

    def bind(self, input: "Value", output: "Value") -> "Calls":
        return [(kernels.hard_sigmoid, (input.data, self.alpha, self.beta, output.data, len(output.data)))]


class Hardsigmoid(HardSigmoid):
    """Compute x / 6 + 1 / 2, kept between 0 and 1, as PyTorch does.

    Input of any shape [...]; the output has the same shape.
    """

    def __init__(self, inplace: bool = False) -> None:
        super().__init__(1 / 6, 0.5)


class HardSwish(Layer):
    """Compute x · max(0, min(1, x / 6 + 1 / 2)).

    Input of any shape [...]; the output has the same shape.
    """

    in_place = True

    def __init__(self, inplace: bool = False) -> None:
        pass

    def bind(self, input: "Value", output: "Value") -> "Calls":
        return [(kernels.hard_swish, (input.data, output.data, len(output.data)))]
