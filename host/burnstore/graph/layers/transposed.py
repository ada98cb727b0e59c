"""Transposed convolutions."""

from typing import Any

import numpy as np

from burnrt.trace import Step
from burnstore.graph.following import Maker
from burnstore.graph.layers.step import behind_the_batch, parameter, scales
from burnstore.graph.operations import Operation, Window
from burnstore.graph.transposed import Transposed


def _transposed(step: Step, layer: Any, common: Any) -> Operation:
    numbers = parameter(step, "weight")  # (in, out / groups, ...)
    inputs, outputs, *kernel = numbers.shape
    by_group = numbers.reshape(layer.groups, inputs // layer.groups, outputs, *(1, *kernel)[-2:])
    weight = by_group.swapaxes(1, 2).reshape(layer.groups * outputs, -1, *by_group.shape[3:])
    height, width = weight.shape[2:]
    planes: Any = [(1, *shape[2:])[-2:] for shape in (step.output.shape, step.inputs[0].shape)]
    settings: Any = [(1, *layer.stride), (0, *layer.padding), (1, *layer.dilation)]
    stride, padding, dilation = (setting[-2:] for setting in settings)
    window = Window(planes[0], planes[1], (height, width), stride, padding, dilation)
    return Transposed(
        **common,
        window=window,
        groups=layer.groups,
        weight=weight,
        bias=np.zeros(len(weight)) if layer.bias is None else parameter(step, "bias"),
        lines=numbers.ndim == 3,
        scales=scales(step, "weight", len(weight), 1, layer.groups),
    )


TRANSPOSED: dict[str, Maker] = {
    "ConvTranspose1d": behind_the_batch(_transposed),
    "ConvTranspose2d": behind_the_batch(_transposed),
}
