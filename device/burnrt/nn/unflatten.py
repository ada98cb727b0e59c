"""One dimension made into several."""

from burnpack.dtype import count
from burnrt.nn.layer import Layer

if False:  # for type checkers
    from collections.abc import Sequence

    from burnpack.types import Shape
    from burnrt.value import Value


class Unflatten(Layer):
    """Give a dimension several extents.

    dim: its number, counted from the end where negative.
    unflattened_size: the extents, of which one may be -1: as many as the others leave.

    The output shares the input's numbers: nothing is copied.
    """

    dim: int
    unflattened_size: tuple[int, ...]

    def __init__(self, dim: int, unflattened_size: "Sequence[int]") -> None:
        sizes = unflattened_size if isinstance(unflattened_size, (tuple, list)) else ()
        if type(dim) is not int:
            self.refuse_argument("dim", dim, "is a whole number")
        if not sizes or [type(size) for size in sizes] != [int] * len(sizes) or sorted(sizes)[:2] == [-1, -1]:
            self.refuse_argument("unflattened_size", unflattened_size, "is extents, of which one may be -1")
        for size in sizes:
            self.check_sizes(-1, unflattened_size=size)
        self.dim = dim
        self.unflattened_size = tuple(sizes)

    def output_shape(self, shape: "Shape") -> "Shape":
        if not -len(shape) <= self.dim < len(shape):
            self.refuse(shape, "a dimension %d" % self.dim)
        dim = self.dim % len(shape)
        known = count([size for size in self.unflattened_size if size >= 0])
        rest = shape[dim] // known if known else 0
        sizes = tuple([rest if size < 0 else size for size in self.unflattened_size])
        if count(sizes) != shape[dim]:
            self.refuse(shape, "a multiple of %d in dimension %d" % (known, self.dim))
        return tuple(shape[:dim]) + sizes + tuple(shape[dim + 1 :])

    def forward(self, input: "Value") -> "Value":  # type: ignore[override] # takes one value
        """Return the same numbers under the output's shape."""
        if not hasattr(input, "through"):
            self.refuse_input(input)
        return input.reshape(self.output_shape(input.shape))
