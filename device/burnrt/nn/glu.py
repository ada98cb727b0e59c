"""The gated linear unit."""

from burnpack.dtype import count
from burnrt import kernels
from burnrt.nn.layer import Layer
from burnrt.nn.working import working

if False:  # for type checkers
    from burnpack.types import Shape
    from burnrt.types import Calls
    from burnrt.value import Value


class GLU(Layer):
    """Compute a / (1 + e^-b), with a the first half of the input along a dimension, and b the second.

    dim: the number of the dimension, counted from the end where negative.

    Input of any shape [...] that is even there; the output has half as many numbers.
    """

    dim: int

    def __init__(self, dim: int = -1) -> None:
        if type(dim) is not int:
            self.refuse_argument("dim", dim, "is a whole number")
        self.dim = dim

    def output_shape(self, shape: "Shape") -> "Shape":
        if not -len(shape) <= self.dim < len(shape) or shape[self.dim] % 2 or min(shape) < 1:
            self.refuse(shape, "an even extent in dimension %d" % self.dim)
        dim = self.dim % len(shape)
        return tuple(shape[:dim]) + (shape[dim] // 2,) + tuple(shape[dim + 1 :])

    def bind(self, input: "Value", output: "Value") -> "Calls":
        x, out, total = input.data, output.data, len(output.data)
        size = count(output.shape[self.dim % len(output.shape) :])
        rows = total // size
        (first,) = working(self, output.shape)
        return [
            (kernels.copy_rows, (x, size, 2 * size, out, 0, size, rows, size)),
            (kernels.sigmoid, (out, out, total)),
            (kernels.copy_rows, (x, 0, 2 * size, first.data, 0, size, rows, size)),
            (kernels.multiply, (first.data, out, out, total)),
        ]
