"""From a model's layers to operations: which layers there are integers for, and what each computes."""

from collections.abc import Callable
from math import inf
from typing import Any

import numpy as np

from burnpack.dtype import count
from burnpack.errors import InvalidTensor, Unsupported
from burnrt import nn, tensor
from burnrt.nn.layer import Layer
from burnrt.trace import Graph, Step
from burnstore.quantize.operations import (
    Add,
    Clip,
    Convolution,
    Linear,
    Lookup,
    MaxPool,
    Network,
    Numbers,
    Operation,
    Scale,
    Softmax,
)
from burnstore.quantize.pooling import adaptive_average, average, window_of
from burnstore.quantize.reaching import reaching

_LAST = "LogSoftmax"
_OWN = ("forward", "bind", "run", "output_shape")  # what a layer of the user's own would do in its own way


def network_of(graph: Graph) -> Network:
    """Return what a followed forward pass computes.

    Steps whose output nobody needs are left out. Raises `Unsupported` for a layer that no integer operation
    computes, `InvalidTensor` for parameters that are not finite.
    """
    if len(graph.outputs) != 1 or graph.output is not graph.outputs[0]:
        found_values = f"{len(graph.outputs)} values"
        raise Unsupported("the answer must be one value, to run in integers", found=found_values)
    found = Network(graph.input.number, graph.output.number, graph.input.shape, graph.output.shape)
    needed = {found.output}
    for step in reversed(graph.steps):
        if needed.isdisjoint(value.number for value in step.outputs):
            continue
        needed.update(value.number for value in step.inputs)
        if _kind(step.layer) == _LAST:
            _end_with(found, step, graph)
        else:
            found.operations.insert(0, _operation(step))
    return found


def _kind(layer: Layer) -> str:
    """Return the name of the layer of `burnrt.nn` that this is, or else the class's own."""
    kind = str(layer.container()).partition(":")[2]
    cls = getattr(nn, kind) if nn.is_layer(kind) else None
    if cls and all(getattr(type(layer), name, None) is getattr(cls, name, None) for name in _OWN):
        return kind
    return type(layer).__name__


def _operation(step: Step) -> Operation:
    kind = _kind(step.layer)
    if kind == "Index":
        raise _unsupported(step, "a part of a value can't be taken in integers: give what is needed alone")
    if kind not in _MAKERS:
        known = " ".join(sorted([*_MAKERS, *_ALIASES, _LAST]))
        raise _unsupported(step, f"there is no integer operation for {kind}", f"one of {known}")
    if kind in _BEHIND_THE_BATCH and step.inputs[0].shape[0] != 1:
        raise _unsupported(step, "its input does not begin with the batch")
    common = {
        "name": step.name,
        "inputs": tuple(value.number for value in step.inputs),
        "output": step.output.number,
        "count": count(step.output.shape),
    }
    return _MAKERS[kind](step, step.layer, common)


def _unsupported(step: Step, what: str, expected: str | None = None) -> Unsupported:
    return Unsupported(what, step.name, expected=expected, found=type(step.layer).__name__)


def _end_with(found: Network, step: Step, graph: Graph) -> None:
    """Leave a LogSoftmax to who reads the answer."""
    if (graph.output.number, graph.output.shape) != (step.output.number, step.output.shape):
        raise _unsupported(step, "a LogSoftmax can only be the last step")
    _, along, behind = _around(step, step.layer)
    if along != step.output.shape[-1] or behind != 1:
        raise _unsupported(step, "a LogSoftmax can only go along the last dimension")
    found.last, found.output = _LAST, step.inputs[0].number


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


# Layer: what makes its operation, from the step, the layer again, and what all operations have.
_MAKERS: dict[str, Callable[[Step, Any, Any], Operation]] = {
    "Linear": _linear,
    "Conv1d": _convolution,
    "Conv2d": _convolution,
    "MaxPool1d": _max_pool,
    "MaxPool2d": _max_pool,
    "AvgPool1d": average,
    "AvgPool2d": average,
    "AdaptiveAvgPool1d": adaptive_average,
    "AdaptiveAvgPool2d": adaptive_average,
    "BatchNorm": _batch_norm,
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
    "LeakyRelu": _lookup,
    "Mish": _lookup,
    "Sigmoid": _lookup,
    "SiLU": _lookup,
    "Softplus": _lookup,
    "Softsign": _lookup,
    "Tanh": _lookup,
}
_ALIASES = ("Flatten", "Unflatten", "Dropout", "Identity")  # which leave no step
_BEHIND_THE_BATCH = (
    *("Conv1d", "MaxPool1d", "AvgPool1d", "AdaptiveAvgPool1d"),
    *("Conv2d", "MaxPool2d", "AvgPool2d", "AdaptiveAvgPool2d", "BatchNorm"),
)
