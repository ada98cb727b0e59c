"""What goes along another dimension than the last, and gates."""

from collections.abc import Sequence
from typing import Any

from burnrt import functional as F
from burnrt.nn.softmax import Softmax
from burnrt.value import Value

Shapes = Sequence[tuple[int, ...]]


def softmax(value: Value) -> Value:
    """Return the softmax of rows."""
    found: Value = Softmax(-1)(value)
    return found


def _softmax(layer: Any, inputs: tuple[Value, ...], shapes: Shapes) -> tuple[Value, ...] | None:
    """Return a softmax along the last dimension, between two moves."""
    (value,) = inputs
    before, along, behind = layer.parts(value.shape)
    if behind == 1:
        return None
    turned = F.permute(value.reshape((before, along, behind)), (0, 2, 1))
    return (F.permute(softmax(turned), (0, 2, 1)),)


def _softmin(layer: Any, inputs: tuple[Value, ...], shapes: Shapes) -> tuple[Value, ...]:
    return (Softmax(layer.dim)(F.neg(inputs[0])),)


def _glu(layer: Any, inputs: tuple[Value, ...], shapes: Shapes) -> tuple[Value, ...]:
    first, gate = F.chunk(inputs[0], 2, layer.dim)
    return (F.mul(first, F.sigmoid(gate)),)


ALONG = {"Softmax": _softmax, "Softmax2d": _softmax, "Softmin": _softmin, "GLU": _glu}
