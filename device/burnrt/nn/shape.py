"""Layers that compute nothing: their output is the input's numbers, shared."""

from burnpack.dtype import count
from burnrt.nn.layer import Layer

if False:  # for type checkers
    from burnpack.types import Shape
    from burnrt.value import Value


class Flatten(Layer):
    """Join the dimensions from start_dim to end_dim into one.

    start_dim, end_dim: their numbers, counted from the end where negative.

    The output shares the input's numbers: nothing is copied.
    """

    start_dim: int
    end_dim: int

    def __init__(self, start_dim: int = 1, end_dim: int = -1) -> None:
        self.start_dim = start_dim
        self.end_dim = end_dim

    def output_shape(self, shape: "Shape") -> "Shape":
        rank = len(shape)
        if not (-rank <= self.start_dim < rank and -rank <= self.end_dim < rank):
            self.refuse(shape, "dimensions %d to %d" % (self.start_dim, self.end_dim))
        start, end = self.start_dim % rank, self.end_dim % rank
        if start > end:
            self.refuse(shape, "dimensions %d to %d, in this order" % (self.start_dim, self.end_dim))
        return tuple(shape[:start]) + (count(shape[start : end + 1]),) + tuple(shape[end + 1 :])

    def forward(self, input: "Value") -> "Value":  # type: ignore[override] # takes one value
        """Return the same numbers under the output's shape."""
        if not hasattr(input, "through"):
            self.refuse_input(input)
        return input.reshape(self.output_shape(input.shape))


class Dropout(Layer):
    """Return the input itself: numbers are dropped only in training.

    p: 0 to 1, taken so that a model's text can say it.

    PyTorch's kinds of it, `Dropout2d` and others, are this one.
    """

    p: float

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        if not 0 <= p <= 1:
            self.refuse_argument("p", p, "is 0 to 1")
        self.p = p

    def forward(self, input: "Value") -> "Value":  # type: ignore[override] # takes one value
        """Return the input itself."""
        return input


class Identity(Layer):
    """Return the input itself.

    Whatever arguments it is made with are not used, as in PyTorch.
    """

    def __init__(self, *_: object, **__: object) -> None:
        pass

    def forward(self, input: "Value") -> "Value":  # type: ignore[override] # takes one value
        """Return the input itself."""
        return input
