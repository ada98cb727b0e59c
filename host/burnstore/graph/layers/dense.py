"""Linears and convolutions."""

from typing import Any

import numpy as np

from burnpack.dtype import count
from burnrt.trace import Step
from burnstore.graph.following import Maker
from burnstore.graph.layers.pooling import window_of
from burnstore.graph.layers.step import behind_the_batch, parameter, scales
from burnstore.graph.operations import Convolution, Linear, Numbers, Operation
from burnstore.graph.reaching import reaching


def _bias(step: Step, layer: Any, outputs: int) -> Numbers:
    return np.zeros(outputs) if layer.bias is None else parameter(step, "bias")


def _linear(step: Step, layer: Any, common: Any) -> Operation:
    weight = parameter(step, "weight").T
    bias, rows = _bias(step, layer, len(weight)), count(step.inputs[0].shape[:-1])
    return Linear(**common, rows=rows, weight=weight, bias=bias, scales=scales(step, "weight", len(weight)))


def _convolution(step: Step, layer: Any, common: Any) -> Operation:
    numbers = parameter(step, "weight")
    weight = numbers.reshape(*numbers.shape[:2], *layer.kernel_size)
    window, weight = reaching(window_of(step, layer.dilation), weight)
    return Convolution(
        **common,
        window=window,
        groups=layer.groups,
        weight=weight,
        bias=_bias(step, layer, len(weight)),
        lines=numbers.ndim == 3,
        scales=scales(step, "weight", len(weight)),
    )


DENSE: dict[str, Maker] = {
    "Linear": _linear,
    "Conv1d": behind_the_batch(_convolution),
    "Conv2d": behind_the_batch(_convolution),
}
