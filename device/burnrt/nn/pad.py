"""Numbers added around lines and planes."""

from burnrt import kernels
from burnrt.nn.copying import copying
from burnrt.nn.edges import padded
from burnrt.nn.geometry import per_dimension
from burnrt.nn.layer import Layer

if False:  # for type checkers
    from burnpack.types import Shape
    from burnrt.types import AnySizes, Calls
    from burnrt.value import Value


class _Padded(Layer):
    """What all share. padding: one number for all sides, or two a dimension, in front and behind, the last
    dimension first: (left, right, top, bottom). What is below 0 is cut off.
    """

    padding: tuple[int, ...]
    value: float

    def __init__(self, rank: int, padding: "AnySizes", value: float) -> None:
        self.padding = per_dimension(type(self).__name__, padding, 2 * rank)
        self.value = value

    def output_shape(self, shape: "Shape") -> "Shape":
        rank = len(self.padding) // 2
        if len(shape) != rank + 2:
            self.refuse(shape, "[batch, channels, %s]" % ("length", "height, width")[rank - 1])
        return padded(type(self).__name__, shape, self.padding, "constant")[0]

    def bind(self, input: "Value", output: "Value") -> "Calls":
        x, out = input.data, output.data
        _, parts = padded(type(self).__name__, input.shape, self.padding, "constant")
        calls: "Calls" = [(kernels.fill, (out, 0, len(out), self.value))]
        return calls + [copying(x, start, out, to, dims) for start, to, dims in parts if len(x)]


class ConstantPad1d(_Padded):
    """Add copies of a number around lines.

    padding: one number for all sides, or (left, right). A negative one takes away.
    value: the number.

    Input [batch, channels, length], output the same with its own extents.
    """

    def __init__(self, padding: "AnySizes", value: float) -> None:
        super().__init__(1, padding, value)


class ConstantPad2d(_Padded):
    """Add copies of a number around planes.

    padding: one number for all sides, or (left, right, top, bottom). A negative one takes away.
    value: the number.

    Input [batch, channels, height, width], output the same with its own extents.
    """

    def __init__(self, padding: "AnySizes", value: float) -> None:
        super().__init__(2, padding, value)


class ZeroPad1d(ConstantPad1d):
    """Add zeros around lines.

    padding: one number for all sides, or (left, right). A negative one takes away.

    Input [batch, channels, length], output the same with its own extents.
    """

    def __init__(self, padding: "AnySizes") -> None:
        super().__init__(padding, 0.0)


class ZeroPad2d(ConstantPad2d):
    """Add zeros around planes.

    padding: one number for all sides, or (left, right, top, bottom). A negative one takes away.

    Input [batch, channels, height, width], output the same with its own extents.
    """

    def __init__(self, padding: "AnySizes") -> None:
        super().__init__(padding, 0.0)
