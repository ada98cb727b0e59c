"""Which layers there are integers for, and what each of them computes in real numbers."""

from math import inf
from typing import Any

import numpy as np

from burnpack.dtype import count
from burnpack.errors import InvalidTensor, Unsupported
from burnrt import tensor
from burnrt.trace import Graph, Step
from burnstore.graph.following import Maker, kind_of, network_of
from burnstore.graph.network import End, Network
from burnstore.graph.operations import (
    Add,
    Clip,
    Convolution,
    Kept,
    Linear,
    Lookup,
    MaxPool,
    Numbers,
    Operation,
    Scale,
    Softmax,
)
from burnstore.graph.pooling import adaptive_average, adaptive_largest, average, mean, window_of
from burnstore.graph.reaching import reaching

_LAST = "LogSoftmax"


def integer_network(graph: Graph) -> Network:
    """Return what a followed forward pass computes, for integers.

    Raises `Unsupported` for a layer that no integer operation computes, `InvalidTensor` for parameters that
    are not finite.
    """
    if len(graph.outputs) != 1 or graph.output is not graph.outputs[0]:
        found_values = f"{len(graph.outputs)} values"
        raise Unsupported("the answer must be one value, to run in integers", found=found_values)
    found = network_of(graph, INTEGERS)
    for operation in reversed(found.operations.copy()):
        if isinstance(operation, Kept):
            _end_with(found, operation)
    return found


def _end_with(found: Network, operation: Kept) -> None:
    """Leave a LogSoftmax to who reads the answer; refuse another layer that is kept."""
    step, kind = operation.step, kind_of(operation.step.layer)
    if kind == "Index":
        raise _unsupported(step, "a part of a value can't be taken in integers: give what is needed alone")
    if kind != _LAST:
        known = " ".join(sorted([*INTEGERS, *_ALIASES, _LAST]))
        raise _unsupported(step, f"there is no integer operation for {kind}; there is one for {known}")
    if (found.output, found.output_shape) != (operation.output, step.output.shape):
        raise _unsupported(step, "a LogSoftmax can only be the last step")
    _, along, behind = _around(step, step.layer)
    if along != step.output.shape[-1] or behind != 1:
        raise _unsupported(step, "a LogSoftmax can only go along the last dimension")
    found.last, found.outputs = _LAST, [End(operation.inputs[0], found.output_shape)]
    found.operations.remove(operation)


def _unsupported(step: Step, what: str) -> Unsupported:
    return Unsupported(what, step.name, found=type(step.layer).__name__)


def _around(step: Step, layer: Any) -> tuple[int, int, int]:
    """Return how many numbers are before, along and behind the dimension of a layer that goes along one."""
    found: tuple[int, int, int] = layer.parts(step.output.shape)
    return found


def _parameter(step: Step, name: str) -> Numbers:
    """Return a parameter of the layer."""
    found = np.asarray(step.layer.weights(name), np.float64).reshape(getattr(step.layer, name).shape)
    if not np.isfinite(found).all():
        raise InvalidTensor("not all of its numbers are finite", f"{step.name}.{name}")
    return found


def _bias(step: Step, layer: Any, outputs: int) -> Numbers:
    return np.zeros(outputs) if layer.bias is None else _parameter(step, "bias")


def _linear(step: Step, layer: Any, common: Any) -> Operation:
    weight = _parameter(step, "weight").T
    bias, rows = _bias(step, layer, len(weight)), count(step.inputs[0].shape[:-1])
    return Linear(**common, rows=rows, weight=weight, bias=bias)


def _convolution(step: Step, layer: Any, common: Any) -> Operation:
    numbers = _parameter(step, "weight")
    weight = numbers.reshape(*numbers.shape[:2], *layer.kernel_size)
    window, weight = reaching(window_of(step, layer.dilation), weight)
    return Convolution(
        **common,
        window=window,
        groups=layer.groups,
        weight=weight,
        bias=_bias(step, layer, len(weight)),
        lines=numbers.ndim == 3,
    )


def _max_pool(step: Step, layer: Any, common: Any) -> Operation:
    return MaxPool(**common, channels=step.output.shape[1], window=window_of(step, layer.dilation))


def _batch_norm(step: Step, layer: Any, common: Any) -> Operation:
    gamma = 1.0 if layer.gamma is None else _parameter(step, "gamma")
    beta = 0.0 if layer.beta is None else _parameter(step, "beta")
    mean, variance = _parameter(step, "running_mean"), _parameter(step, "running_var")
    if not (variance + layer.epsilon > 0).all():
        raise InvalidTensor("must be above 0", f"{step.name}.running_var", found=variance.min())
    factor = gamma / np.sqrt(variance + layer.epsilon)
    rows, columns = step.output.shape[2:-1], step.output.shape[2:][-1:]
    plane = count(rows), count(columns)
    return Scale(**common, plane=plane, factor=factor, shift=beta - mean * factor)


def _relu(step: Step, layer: Any, common: Any) -> Operation:
    return Clip(**common, low=0.0, high=inf)


def _relu6(step: Step, layer: Any, common: Any) -> Operation:
    return Clip(**common, low=0.0, high=6.0)


def _hardtanh(step: Step, layer: Any, common: Any) -> Operation:
    return Clip(**common, low=layer.min_val, high=layer.max_val)


def _lookup(step: Step, layer: Any, common: Any) -> Operation:
    def function(numbers: Numbers) -> Numbers:
        with np.errstate(all="ignore"):  # what is not finite is told where the table is made
            return np.asarray(layer(tensor(numbers, (1, len(numbers)))), np.float64).reshape(-1)

    return Lookup(**common, function=function)


def _prelu(step: Step, layer: Any, common: Any) -> Operation:
    if layer.alpha.shape != (1,):
        raise _unsupported(step, "a PRelu can only have one alpha")
    _parameter(step, "alpha")  # which must be finite
    return _lookup(step, layer, common)


def _add(step: Step, layer: Any, common: Any) -> Operation:
    return Add(**common)


def _softmax(step: Step, layer: Any, common: Any) -> Operation:
    rows, _, behind = _around(step, layer)
    if behind != 1:
        raise _unsupported(step, "a Softmax can only go along the last dimension")
    return Softmax(**common, rows=rows)


def _behind_the_batch(maker: Maker) -> Maker:
    """Return the maker for a layer whose inputs must begin with a batch of one."""

    def make(step: Step, layer: Any, common: Any) -> Operation:
        if step.inputs[0].shape[0] != 1:
            raise _unsupported(step, "its input does not begin with the batch")
        return maker(step, layer, common)

    return make


# Layer: what makes its operation.
INTEGERS: dict[str, Maker] = {
    "Linear": _linear,
    "Conv1d": _behind_the_batch(_convolution),
    "Conv2d": _behind_the_batch(_convolution),
    "MaxPool1d": _behind_the_batch(_max_pool),
    "MaxPool2d": _behind_the_batch(_max_pool),
    "AvgPool1d": _behind_the_batch(average),
    "AvgPool2d": _behind_the_batch(average),
    "AdaptiveAvgPool1d": _behind_the_batch(adaptive_average),
    "AdaptiveAvgPool2d": _behind_the_batch(adaptive_average),
    "AdaptiveMaxPool1d": _behind_the_batch(adaptive_largest),
    "AdaptiveMaxPool2d": _behind_the_batch(adaptive_largest),
    "BatchNorm": _behind_the_batch(_batch_norm),
    "Mean": mean,
    "Relu": _relu,
    "Relu6": _relu6,
    "Hardtanh": _hardtanh,
    "PRelu": _prelu,
    "Add": _add,
    "Softmax": _softmax,
    "CELU": _lookup,
    "ELU": _lookup,
    "Gelu": _lookup,
    "HardSigmoid": _lookup,
    "HardSwish": _lookup,
    "Hardshrink": _lookup,
    "LeakyRelu": _lookup,
    "LogSigmoid": _lookup,
    "Mish": _lookup,
    "RReLU": _lookup,
    "SELU": _lookup,
    "Sigmoid": _lookup,
    "SiLU": _lookup,
    "Softplus": _lookup,
    "Softshrink": _lookup,
    "Softsign": _lookup,
    "Tanh": _lookup,
    "Tanhshrink": _lookup,
    "Threshold": _lookup,
}
FLOATS: dict[str, Maker] = {"BatchNorm": _batch_norm}  # all others are kept: floats have a kernel for each
_ALIASES = ("Flatten", "Unflatten", "Dropout", "Identity")  # which leave no step
