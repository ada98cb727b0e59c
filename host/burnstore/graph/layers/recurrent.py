"""Recurrent layers."""

from typing import Any

from burnrt.trace import Step
from burnstore.graph.following import Maker
from burnstore.graph.layers.step import unsupported
from burnstore.graph.operations import Operation
from burnstore.graph.recurrence import Layered, Recurrence


def _recurrent(step: Step, layer: Layered, common: Any) -> Operation:
    shape, first = step.inputs[0].shape, layer.layers[0]
    size = step.output.shape[-1]
    if common["count"] % size or _batch(layer, shape) != 1:
        raise unsupported(step, "recurrent layers take a batch of one, in integers")
    if layer.is_cell:
        common["besides"] = (None, *common["besides"])
    return Recurrence(
        **common,
        kind=layer.kind,
        times=common["count"] // size,
        gates=layer.gates(),
        within=layer.within,
        is_rectified=getattr(first, "nonlinearity", "") == "relu",
    )


def _batch(layer: Layered, shape: tuple[int, ...]) -> int:
    if layer.is_cell:
        return shape[0] if len(shape) == 2 else 1
    return shape[0 if layer.layers[0].batch_first else 1] if len(shape) == 3 else 1


RECURRENT: dict[str, Maker] = {"Gru": _recurrent, "Lstm": _recurrent, "Rnn": _recurrent}
