"""What goes along another dimension than the last, and gates."""

from collections.abc import Sequence
from typing import Any

from burnrt import functional as F
from burnrt.nn.softmax import Softmax
from burnrt.value import Value
from burnstore.graph.simple.masking import shares_of, softmax, unmasked

Shapes = Sequence[tuple[int, ...]]


def _softmax(layer: Any, inputs: tuple[Value, ...], shapes: Shapes) -> tuple[Value, ...] | None:
    """Return a softmax along the last dimension, between two moves; of masked scores, what the mask shows."""
    (value,) = inputs
    before, along, behind = layer.parts(value.shape)
    if behind == 1:
        found = unmasked(value)
        return None if found is None else (shares_of(found[0], found[1:]),)
    turned = F.permute(value.reshape((before, along, behind)), (0, 2, 1))
    return (F.permute(softmax(turned), (0, 2, 1)),)


def _softmin(layer: Any, inputs: tuple[Value, ...], shapes: Shapes) -> tuple[Value, ...]:
    return (Softmax(layer.dim)(F.neg(inputs[0])),)


def _glu(layer: Any, inputs: tuple[Value, ...], shapes: Shapes) -> tuple[Value, ...]:
    first, gate = F.chunk(inputs[0], 2, layer.dim)
    return (F.mul(first, F.sigmoid(gate)),)


ALONG = {"Softmax": _softmax, "Softmax2d": _softmax, "Softmin": _softmin, "GLU": _glu}
