"""The sum of two values, so that what goes around other layers is a layer, too."""

from burnrt import kernels
from burnrt.nn.layer import Layer

if False:  # for type checkers
    from burnpack.types import Shape
    from burnrt.types import Calls
    from burnrt.value import Value


class Add(Layer):
    """Add two values number by number; `a + b` does the same.

    Two inputs of one shape [...]; the output has the same shape.
    """

    in_place = True

    def output_shape(self, a: "Shape", b: "Shape") -> "Shape":  # type: ignore[override] # takes two
        """Return the shape of the output, that of both inputs. Raises `InvalidTensor` where they differ."""
        if tuple(a) != tuple(b):
            self.refuse(b, "%r, as the other's" % (list(a),))
        return a

    def bind(self, a: "Value", b: "Value", output: "Value") -> "Calls":
        return [(kernels.add, (a.data, b.data, output.data, len(output.data)))]
