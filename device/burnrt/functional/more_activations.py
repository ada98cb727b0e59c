"""Functions of every number that few networks have. inplace changes nothing: a new value is returned."""

from burnpack.errors import Unsupported
from burnrt.functional.given import extents, through
from burnrt.nn.glu import GLU
from burnrt.nn.prelu import PRelu
from burnrt.nn.rectifier import RReLU
from burnrt.nn.shrink import Hardshrink, Softshrink, Tanhshrink, Threshold
from burnrt.nn.smooth import CELU, ELU, SELU, LogSigmoid, Mish, Softplus, Softsign

if False:  # for type checkers
    from typing import Any

    from burnrt.value import Value


def elu(input: "Value", alpha: float = 1.0, inplace: bool = False) -> "Value":
    """Return what an `nn.ELU` makes."""
    return ELU(alpha).forward(input)


def celu(input: "Value", alpha: float = 1.0, inplace: bool = False) -> "Value":
    """Return what an `nn.CELU` makes."""
    return CELU(alpha).forward(input)


def selu(input: "Value", inplace: bool = False) -> "Value":
    """Return what an `nn.SELU` makes."""
    return SELU().forward(input)


def mish(input: "Value", inplace: bool = False) -> "Value":
    """Return what an `nn.Mish` makes."""
    return Mish().forward(input)


def softplus(input: "Value", beta: float = 1.0, threshold: float = 20.0) -> "Value":
    """Return what an `nn.Softplus` makes."""
    return Softplus(beta, threshold).forward(input)


def softsign(input: "Value") -> "Value":
    """Return what an `nn.Softsign` makes."""
    return Softsign().forward(input)


def logsigmoid(input: "Value") -> "Value":
    """Return what an `nn.LogSigmoid` makes."""
    return LogSigmoid().forward(input)


def hardshrink(input: "Value", lambd: float = 0.5) -> "Value":
    """Return what an `nn.Hardshrink` makes."""
    return Hardshrink(lambd).forward(input)


def softshrink(input: "Value", lambd: float = 0.5) -> "Value":
    """Return what an `nn.Softshrink` makes."""
    return Softshrink(lambd).forward(input)


def tanhshrink(input: "Value") -> "Value":
    """Return what an `nn.Tanhshrink` makes."""
    return Tanhshrink().forward(input)


def threshold(input: "Value", threshold: float, value: float, inplace: bool = False) -> "Value":
    """Return what an `nn.Threshold` makes."""
    return Threshold(threshold, value).forward(input)


def glu(input: "Value", dim: int = -1) -> "Value":
    """Return what an `nn.GLU` makes."""
    return GLU(dim).forward(input)


def rrelu(
    input: "Value",
    lower: float = 1 / 8,
    upper: float = 1 / 3,
    training: bool = False,
    inplace: bool = False,
) -> "Value":
    """Return what an `nn.RReLU` makes, as it is after training."""
    if training:
        raise Unsupported("slopes are drawn in training alone", "rrelu")
    return RReLU(lower, upper).forward(input)


def prelu(input: "Value", weight: "Any") -> "Value":
    """Return what an `nn.PRelu` makes. weight: its alpha, of one number or of one for each channel."""
    (channels,) = extents(weight, 1, "prelu")
    return through(PRelu(channels), input, alpha=weight)
