"""Matrices and tables that are given, as PyTorch lays them out."""

from burnpack.dtype import count
from burnpack.module import Param
from burnrt import kernels
from burnrt.functional.given import extents, through
from burnrt.nn.embedding import Embedding
from burnrt.nn.layer import Layer

if False:  # for type checkers
    from typing import Any

    from burnpack.types import Shape
    from burnrt.types import Calls
    from burnrt.value import Value


def linear(input: "Value", weight: "Any", bias: "Any" = None) -> "Value":
    """Return input · weightᵀ + bias.

    input: [..., in]. weight: (out, in), where an `nn.Linear` of Burn's has (in, out). bias: (out), or None.
    """
    is_vector = len(getattr(weight, "shape", ())) == 1  # then there is one output, which has no dimension
    outputs, inputs = (1,) + extents(weight, 1, "linear") if is_vector else extents(weight, 2, "linear")
    found = through(Rows(weight.shape, inputs, outputs, bias), input, weight=weight, bias=bias)
    return found.reshape(found.shape[:-1]) if is_vector else found


def embedding(
    input: "Value",
    weight: "Any",
    padding_idx: int | None = None,
    max_norm: None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> "Value":
    """Return row number x of a table for each number x of the input. weight: (rows, numbers of a row)."""
    rows, size = extents(weight, 2, "embedding")
    return through(Embedding(rows, size, padding_idx, max_norm), input, weight=weight)


class Rows(Layer):
    """Multiply by a matrix whose rows are the outputs: by a convolution of planes of one number."""

    weight: "Param"
    bias: "Param | None"

    def __init__(self, shape: "Shape", inputs: int, outputs: int, bias: object) -> None:
        self.inputs, self.outputs = inputs, outputs
        self.weight = Param(shape)
        self.bias = None if bias is None else Param(() if len(shape) == 1 else (outputs,))

    def output_shape(self, shape: "Shape") -> "Shape":
        if not shape or shape[-1] != self.inputs:
            self.refuse(shape, "[..., %d]" % self.inputs)
        return tuple(shape[:-1]) + (self.outputs,)

    def bind(self, input: "Value", output: "Value") -> "Calls":
        weight, bias, rows = self.weights("weight"), self.weights("bias"), count(input.shape[:-1])
        numbers = (input.data, (rows, self.inputs, 1, 1), weight, (self.outputs, self.inputs, 1, 1), bias)
        sizes = (output.data, (rows, self.outputs, 1, 1), (1, 1), (0, 0), (1, 1), 1)
        return [(kernels.conv2d, numbers + sizes)]
