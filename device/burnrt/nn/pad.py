"""Numbers added around lines and planes."""

from burnrt.nn.edges import padded
from burnrt.nn.geometry import per_dimension
from burnrt.nn.moving import Moving

if False:  # for type checkers
    from burnpack.types import Shape
    from burnrt.types import AnySizes, Copied


class _Padded(Moving):
    """What all share. padding: one number for all sides, or two a dimension, in front and behind, the last
    dimension first: (left, right, top, bottom). What is below 0 is cut off. The value is for the mode
    "constant".
    """

    padding: tuple[int, ...]

    def __init__(
        self, rank: int, padding: "AnySizes", value: float | None = None, mode: str = "constant"
    ) -> None:
        self.padding = per_dimension(type(self).__name__, padding, 2 * rank)
        self.value = value
        self.mode = mode

    def moved(self, shape: "Shape") -> "tuple[Shape, Copied]":
        """Return the output's shape, and what is copied, as `Moving` has it."""
        rank = len(self.padding) // 2
        if len(shape) != rank + 2:
            self.refuse(shape, "[batch, channels, %s]" % ("length", "height, width")[rank - 1])
        return padded(type(self).__name__, shape, self.padding, self.mode)


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


class ReflectionPad1d(_Padded):
    """Mirror lines at their ends, which are not repeated.

    padding: one number for all sides, or (left, right). A negative one takes away.

    Input [batch, channels, length], output the same with its own extents.
    """

    def __init__(self, padding: "AnySizes") -> None:
        super().__init__(1, padding, None, "reflect")


class ReflectionPad2d(_Padded):
    """Mirror planes at their ends, which are not repeated.

    padding: one number for all sides, or (left, right, top, bottom). A negative one takes away.

    Input [batch, channels, height, width], output the same with its own extents.
    """

    def __init__(self, padding: "AnySizes") -> None:
        super().__init__(2, padding, None, "reflect")


class ReplicationPad1d(_Padded):
    """Repeat the ends of lines.

    padding: one number for all sides, or (left, right). A negative one takes away.

    Input [batch, channels, length], output the same with its own extents.
    """

    def __init__(self, padding: "AnySizes") -> None:
        super().__init__(1, padding, None, "replicate")


class ReplicationPad2d(_Padded):
    """Repeat the ends of planes.

    padding: one number for all sides, or (left, right, top, bottom). A negative one takes away.

    Input [batch, channels, height, width], output the same with its own extents.
    """

    def __init__(self, padding: "AnySizes") -> None:
        super().__init__(2, padding, None, "replicate")


class CircularPad1d(_Padded):
    """Go on with lines at their other ends.

    padding: one number for all sides, or (left, right). A negative one takes away.

    Input [batch, channels, length], output the same with its own extents.
    """

    def __init__(self, padding: "AnySizes") -> None:
        super().__init__(1, padding, None, "circular")


class CircularPad2d(_Padded):
    """Go on with planes at their other ends.

    padding: one number for all sides, or (left, right, top, bottom). A negative one takes away.

    Input [batch, channels, height, width], output the same with its own extents.
    """

    def __init__(self, padding: "AnySizes") -> None:
        super().__init__(2, padding, None, "circular")
