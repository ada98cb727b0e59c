"""The sum of two values, so that what goes around other layers is a layer, too."""

from burnrt import kernels
from burnrt.nn.layer import Layer

if False:  # for type checkers
    from burnpack.types import Shape
    from burnrt.types import Calls
    from burnrt.value import Value


class Add(Layer):
    """Add two values of one shape, number by number. The output has this shape. `a + b` does the same."""

    in_place = True

    def output_shape(self, a: "Shape", b: "Shape") -> "Shape":  # type: ignore[override] # takes two
        if tuple(a) != tuple(b):
            self.refuse(b, "%r, as the other's" % (list(a),))
        return a

    def bind(self, a: "Value", b: "Value", output: "Value") -> "Calls":
        return [(kernels.add, (a.data, b.data, output.data, len(output.data)))]
