"""Softmax and its like, along one dimension."""

from burnrt.nn.softmax import LogSoftmax, Softmax, Softmin

if False:  # for type checkers
    from burnrt.value import Value


def softmax(input: "Value", dim: int | None = None, _stacklevel: int = 3, dtype: object = None) -> "Value":
    """Return what an `nn.Softmax` makes."""
    return Softmax(dim).forward(input)


def softmin(input: "Value", dim: int | None = None, _stacklevel: int = 3, dtype: object = None) -> "Value":
    """Return what an `nn.Softmin` makes."""
    return Softmin(dim).forward(input)


def log_softmax(
    input: "Value", dim: int | None = None, _stacklevel: int = 3, dtype: object = None
) -> "Value":
    """Return what an `nn.LogSoftmax` makes."""
    return LogSoftmax(dim).forward(input)
