"""Norms: of channels, by what was recorded of them, and of rows, by their own means."""

from typing import Any

import numpy as np

from burnpack.dtype import count
from burnpack.errors import InvalidTensor
from burnrt.trace import Step
from burnstore.graph.following import Maker
from burnstore.graph.layers.step import behind_the_batch, parameter
from burnstore.graph.operations import Normalize, Operation, Scale


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


def _layer_norm(step: Step, layer: Any, common: Any) -> Operation:
    return _rows(step, layer, common, True)


def _rms_norm(step: Step, layer: Any, common: Any) -> Operation:
    return _rows(step, layer, common, False)


def _rows(step: Step, layer: Any, common: Any, is_centered: bool) -> Operation:
    rows, size = layer.sizes(step.output.shape)
    return _normalize(step, layer, common, rows, size, 1, is_centered)


def _group_norm(step: Step, layer: Any, common: Any) -> Operation:
    inner = count(step.output.shape[2:])
    return _normalize(
        step, layer, common, layer.num_groups, layer.num_channels // layer.num_groups, inner, True
    )


def _normalize(
    step: Step, layer: Any, common: Any, rows: int, size: int, inner: int, is_centered: bool
) -> Operation:
    """Return the operation of so many rows, each of `size` gains for `inner` numbers."""
    gamma, beta = getattr(layer, "gamma", None), getattr(layer, "beta", None)
    known = next((each for each in (gamma, beta) if each is not None), None)
    if known is None:
        inner *= size
    pairs = 1 if known is None else count(known.shape)
    gains = np.ones(pairs) if gamma is None else parameter(step, "gamma").reshape(-1)
    offsets = np.zeros(pairs) if beta is None else parameter(step, "beta").reshape(-1)
    return Normalize(
        **common,
        rows=rows,
        inner=inner,
        gains=gains,
        offsets=offsets,
        epsilon=layer.epsilon,
        is_centered=is_centered,
    )


NORMS: dict[str, Maker] = {
    "BatchNorm": behind_the_batch(_batch_norm),
    "LayerNorm": _layer_norm,
    "RmsNorm": _rms_norm,
    "GroupNorm": behind_the_batch(_group_norm),
    "InstanceNorm": behind_the_batch(_group_norm),
}
# Floats have a kernel for every other layer, which is kept.
FLOATS: dict[str, Maker] = {"BatchNorm": _batch_norm}
