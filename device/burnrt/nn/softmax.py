"""Softmax and its logarithm, along one dimension. The output has the input's shape."""

from burnpack.dtype import count
from burnrt import kernels
from burnrt.nn.layer import Layer

if False:  # for type checkers
    from burnpack.types import Shape
    from burnrt.types import Calls
    from burnrt.value import Value


class _AlongOne(Layer):
    """What both share: the dimension. dim: its number, counted from the end where negative.

    None is what PyTorch takes it for: the first of an input of one or three dimensions, else the second.
    """

    dim: int | None

    in_place = True

    def __init__(self, dim: int | None = None) -> None:
        self.dim = dim

    def output_shape(self, shape: "Shape") -> "Shape":
        dim = self._dim(shape)
        if not -len(shape) <= dim < len(shape) or shape[dim] < 1:
            self.refuse(shape, "a dimension %d" % dim)
        return shape

    def parts(self, shape: "Shape") -> tuple[int, int, int]:
        """Return how many numbers are before, along and behind the dimension."""
        dim = self._dim(shape) % len(shape)
        return count(shape[:dim]), shape[dim], count(shape[dim + 1 :])

    def _dim(self, shape: "Shape") -> int:
        if self.dim is None:
            return 0 if len(shape) in (0, 1, 3) else 1
        return self.dim


class Softmax(_AlongOne):
    """Compute e^x / Σ e^x, the sum along one dimension.

    dim: its number, counted from the end where negative. None is the one that PyTorch takes.

    Input of any shape [...]; the output has the same shape.
    """

    def bind(self, input: "Value", output: "Value") -> "Calls":
        return [(kernels.softmax, (input.data, output.data) + self.parts(input.shape))]


class LogSoftmax(_AlongOne):
    """Compute x - log Σ e^x, the sum along one dimension.

    dim: its number, counted from the end where negative. None is the one that PyTorch takes.

    Input of any shape [...]; the output has the same shape.
    """

    def bind(self, input: "Value", output: "Value") -> "Calls":
        return [(kernels.log_softmax, (input.data, output.data) + self.parts(input.shape))]


class Softmin(Softmax):
    """Compute e^-x / Σ e^-x, the sum along one dimension.

    dim: its number, counted from the end where negative. None is the one that PyTorch takes.

    Input of any shape [...]; the output has the same shape.
    """

    def bind(self, input: "Value", output: "Value") -> "Calls":
        out, turned = output.data, (kernels.floats([-1.0]), kernels.floats([0.0]))
        calls = [(kernels.affine, (input.data,) + turned + (out, 1, 1, len(out)))]
        return calls + super().bind(output, output)


class Softmax2d(Softmax):
    """Compute e^x / Σ e^x, the sum along the channels.

    Input [batch, channels, height, width], or of one sample [channels, height, width]; the output has the
    same shape.
    """

    def __init__(self) -> None:
        super().__init__(-3)

    def output_shape(self, shape: "Shape") -> "Shape":
        if len(shape) not in (3, 4):
            self.refuse(shape, "[batch, channels, height, width]")
        return super().output_shape(shape)
