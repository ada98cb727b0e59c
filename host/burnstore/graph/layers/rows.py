"""What goes along rows of numbers."""

from typing import Any

from burnrt.trace import Step
from burnstore.graph.following import Maker
from burnstore.graph.layers.step import around, unsupported
from burnstore.graph.operations import Operation, Softmax


def _softmax(step: Step, layer: Any, common: Any) -> Operation:
    rows, _, behind = around(step, layer)
    if behind != 1:
        raise unsupported(step, "a Softmax can only go along the last dimension")
    return Softmax(**common, rows=rows)


ROWS: dict[str, Maker] = {"Softmax": _softmax}
