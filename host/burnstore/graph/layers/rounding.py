"""What PyTorch says of the bytes of values."""

from typing import Any

from burnrt.trace import Step
from burnstore.graph.constants import is_constant
from burnstore.graph.following import Maker
from burnstore.graph.layers.step import unsupported
from burnstore.graph.operations import Operation
from burnstore.graph.rounds import Round

_SIGN = 128  # what a signed byte and the unsigned one that is kept differ by


def _round(step: Step, layer: Any, common: Any) -> Operation:
    if is_constant(step.inputs[0]):
        raise unsupported(step, "rounds what is the same in each run")
    least, largest = layer.quant_min, layer.quant_max
    moved = _SIGN if least < 0 else 0
    zero = layer.zero_point + moved
    if least + moved < 0 or largest + moved > 255:
        raise unsupported(step, f"is rounded to {least} to {largest}, where integers here have one byte")
    if not 0 <= zero <= 255:
        raise unsupported(step, f"has zero point {layer.zero_point}, which is no byte's")
    low, high = (layer.scale * (bound - layer.zero_point) for bound in (least, largest))
    return Round(**common, low=low, high=high, scale=layer.scale, zero_point=zero)


ROUNDING: dict[str, Maker] = {"FakeQuantize": _round}
