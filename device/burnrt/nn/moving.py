"""What layers share that only move the numbers of one value."""

from burnrt import kernels
from burnrt.nn.copying import copying
from burnrt.nn.layer import Layer

if False:  # for type checkers
    from burnpack.types import Shape
    from burnrt.types import Calls, Copied
    from burnrt.value import Value


class Moving(Layer):
    """A layer whose output has numbers of its input at other places: `moved` says which.

    value: what is where the others leave the output as it is, or None where they fill it.
    """

    value: float | None = None

    def moved(self, shape: "Shape") -> "tuple[Shape, Copied]":
        """Return the output's shape, and what is copied: (start, to, dims), see `copying`."""
        raise NotImplementedError

    def output_shape(self, shape: "Shape") -> "Shape":
        return self.moved(shape)[0]

    def bind(self, input: "Value", output: "Value") -> "Calls":
        x, out = input.data, output.data
        calls: "Calls" = [] if self.value is None else [(kernels.fill, (out, 0, len(out), self.value))]
        parts = self.moved(input.shape)[1] if len(x) else []
        return calls + [copying(x, start, out, to, dims) for start, to, dims in parts]
