"""Numbers rounded as a quantized network has them."""

from burnpack.errors import InvalidTensor
from burnrt import kernels
from burnrt.functional.operands import operands
from burnrt.nn.layer import Layer

if False:  # for type checkers
    from typing import Any

    from burnrt.types import Calls
    from burnrt.value import Value


class FakeQuantize(Layer):
    """Round each number to the nearest that a byte stands for, (byte - zero_point) · scale.

    scale: above 0. zero_point, quant_min, quant_max: whole numbers; bytes are from quant_min to quant_max.
    """

    in_place = True

    def __init__(self, scale: float, zero_point: int, quant_min: int, quant_max: int) -> None:
        if not scale > 0.0 or quant_min > quant_max:
            found = (scale, quant_min, quant_max)
            raise InvalidTensor("no bytes", "FakeQuantize", expected="scale above 0, min to max", found=found)
        self.scale = scale
        self.zero_point = zero_point
        self.quant_min = quant_min
        self.quant_max = quant_max

    def bind(self, input: "Value", output: "Value") -> "Calls":
        bounds = (self.quant_min - self.zero_point, self.quant_max - self.zero_point)
        return [(kernels.fake_quantize, (input.data, self.scale) + bounds + (output.data, len(output.data)))]


def fake_quantize_per_tensor_affine(
    input: "Any", scale: float, zero_point: int, quant_min: int, quant_max: int
) -> "Value":
    """Return a value's numbers, rounded to the nearest that bytes stand for: see `FakeQuantize`."""
    (value,) = operands(input)
    return value.through(FakeQuantize(scale, zero_point, quant_min, quant_max))
