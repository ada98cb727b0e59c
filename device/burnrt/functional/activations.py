"""Functions of every number. inplace changes nothing: a new value is returned."""

from burnrt.nn.activation import Gelu, Sigmoid, SiLU, Tanh
from burnrt.nn.rectifier import Hardsigmoid, HardSwish, Hardtanh, LeakyRelu, Relu, Relu6

if False:  # for type checkers
    from burnrt.value import Value


def relu(input: "Value", inplace: bool = False) -> "Value":
    """Return what an `nn.Relu` makes."""
    return Relu().forward(input)


def relu6(input: "Value", inplace: bool = False) -> "Value":
    """Return what an `nn.Relu6` makes."""
    return Relu6().forward(input)


def leaky_relu(input: "Value", negative_slope: float = 0.01, inplace: bool = False) -> "Value":
    """Return what an `nn.LeakyRelu` makes."""
    return LeakyRelu(negative_slope).forward(input)


def hardtanh(input: "Value", min_val: float = -1.0, max_val: float = 1.0, inplace: bool = False) -> "Value":
    """Return what an `nn.Hardtanh` makes."""
    return Hardtanh(min_val, max_val).forward(input)


def hardsigmoid(input: "Value", inplace: bool = False) -> "Value":
    """Return what an `nn.Hardsigmoid` makes."""
    return Hardsigmoid().forward(input)


def hardswish(input: "Value", inplace: bool = False) -> "Value":
    """Return what an `nn.HardSwish` makes."""
    return HardSwish().forward(input)


def gelu(input: "Value", approximate: str = "none") -> "Value":
    """Return what an `nn.Gelu` makes."""
    return Gelu(approximate).forward(input)


def sigmoid(input: "Value") -> "Value":
    """Return what an `nn.Sigmoid` makes."""
    return Sigmoid().forward(input)


def silu(input: "Value", inplace: bool = False) -> "Value":
    """Return what an `nn.SiLU` makes."""
    return SiLU().forward(input)


def tanh(input: "Value") -> "Value":
    """Return what an `nn.Tanh` makes."""
    return Tanh().forward(input)
