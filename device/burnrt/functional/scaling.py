"""Values divided by what is around each number."""

from burnpack.dtype import count
from burnpack.errors import InvalidTensor
from burnrt.functional.arithmetic import affine, square
from burnrt.functional.clamping import clamp_min
from burnrt.functional.dividing import div
from burnrt.functional.operands import operands
from burnrt.functional.padding import pad
from burnrt.functional.pooling import avg_pool2d
from burnrt.functional.powers import pow
from burnrt.functional.statistics import norm

if False:  # for type checkers
    from typing import Any

    from burnrt.value import Value


def normalize(input: "Value", p: float = 2.0, dim: "Any" = 1, eps: float = 1e-12) -> "Value":
    """Return the value divided by its norms along dimensions, or by eps where one is smaller."""
    return div(input, clamp_min(norm(input, p, dim, True), eps))


def local_response_norm(
    input: "Value", size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0
) -> "Value":
    """Return input / (k + alpha · mean of the squares of `size` channels around each)^beta.

    Input [batch, channels, ...]. Channels that are not there count as zeros.
    """
    value = operands(input)[0]
    shape = value.shape
    if len(shape) < 3 or type(size) is not int or size < 1:
        what = "takes [batch, channels, ...] and a size from 1 on"
        raise InvalidTensor(what, "local_response_norm", found=[list(shape), size])
    squares = square(value).reshape((shape[0], 1, shape[1], count(shape[2:])))
    around = avg_pool2d(pad(squares, (0, 0, size // 2, (size - 1) // 2)), (size, 1), 1)
    return div(value, pow(affine(around.reshape(shape), alpha, k), beta))
