"""Norms of channels, by what was recorded of them."""

from typing import Any

import numpy as np

from burnpack.dtype import count
from burnpack.errors import InvalidTensor
from burnrt.trace import Step
from burnstore.graph.following import Maker
from burnstore.graph.layers.step import behind_the_batch, parameter
from burnstore.graph.operations import Operation, Scale


def _batch_norm(step: Step, layer: Any, common: Any) -> Operation:
    gamma = 1.0 if layer.gamma is None else parameter(step, "gamma")
    beta = 0.0 if layer.beta is None else parameter(step, "beta")
    mean, variance = parameter(step, "running_mean"), parameter(step, "running_var")
    if not (variance + layer.epsilon > 0).all():
        raise InvalidTensor("must be above 0", f"{step.name}.running_var", found=variance.min())
    factor = gamma / np.sqrt(variance + layer.epsilon)
    rows, columns = step.output.shape[2:-1], step.output.shape[2:][-1:]
    plane = count(rows), count(columns)
    return Scale(**common, plane=plane, factor=factor, shift=beta - mean * factor)


NORMS: dict[str, Maker] = {"BatchNorm": behind_the_batch(_batch_norm)}
# Floats have a kernel for every other layer, which is kept.
FLOATS: dict[str, Maker] = {"BatchNorm": _batch_norm}
