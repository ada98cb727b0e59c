"""The dense layer."""

from burnpack.dtype import count
from burnpack.module import Param
from burnrt import kernels
from burnrt.nn.layer import Layer

if False:  # for type checkers
    from burnpack.types import Shape
    from burnrt.types import Calls
    from burnrt.value import Value


class Linear(Layer):
    """Multiply by a matrix and add a bias: x · weight + bias.

    in_features, out_features: the extents `in` and `out`.
    weight: (in, out), Burn's layout, which is PyTorch's transposed.
    bias: (out), or None where the argument is False.

    Input [..., in], output [..., out].
    """

    weight: "Param"
    bias: "Param | None"

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        device: object = None,
        dtype: object = None,
    ) -> None:
        self.check_sizes(0, in_features=in_features, out_features=out_features)
        self.weight = Param((in_features, out_features))
        self.bias = Param((out_features,)) if bias else None

    def output_shape(self, shape: "Shape") -> "Shape":
        inputs, outputs = self.weight.shape
        if not shape or shape[-1] != inputs:
            self.refuse(shape, "[..., %d]" % inputs)
        return tuple(shape[:-1]) + (outputs,)

    def bind(self, input: "Value", output: "Value") -> "Calls":
        weight, bias = self.weights("weight"), self.weights("bias")
        sizes = (count(input.shape[:-1]),) + self.weight.shape
        return [(kernels.linear, (input.data, weight, bias, output.data) + sizes)]
