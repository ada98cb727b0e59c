"""Steps with weights, and pools that take means."""

from math import prod

import numpy as np
from numpy.typing import NDArray

from burnpack.errors import Unsupported
from burnpack.tensor import Tensor
from burnstore.graph.operations import AveragePool, Convolution, Linear, MaxPool
from burnstore.programs.integers.step import Made, Maker, Step
from burnstore.quantize.rescale import word
from burnstore.quantize.weights import integers

_IN_ROWS, _IN_PLANES = 0, 1  # where the numbers of a place are


def _linear(step: Step) -> Made:
    operation: Linear = step.operation
    shape = operation.weight.shape
    if operation.bits == 4:
        return _packed(step, shape, operation.rows, _IN_ROWS)
    rescale, weight, constants = _with_weights(step, shape)
    return Made("linear", step.words(rescale, operation.rows, shape[1], shape[0]), weight, constants)


def _convolution(step: Step) -> Made:
    operation: Convolution = step.operation
    out, inputs, height, width = operation.weight.shape
    shape = (out, inputs, width) if operation.lines else (out, inputs, height, width)
    if operation.bits == 4:
        return _packed(step, shape, prod(operation.window.out_size), _IN_PLANES)
    rescale, weight, constants = _with_weights(step, shape)
    window, pad = operation.window.words(), step.given.zero_point
    if operation.is_depthwise:
        return Made("depthwise2d", step.words(rescale, 0, pad, out, *window), weight, constants)
    groups = operation.groups
    (work,), pairs = step.memory.work[operation.output], step.layout.pairs[operation.output]
    words = step.words(rescale, work, pad, inputs, *window, groups, out // groups, pairs)
    return Made("conv2d", words, weight, constants)


def _packed(step: Step, shape: tuple[int, ...], places: int, layout: int) -> Made:
    """Return a step with weights of 4 bits. places: for how many all outputs are computed."""
    rescale, weight, constants = _with_weights(step, shape)
    (work,) = step.memory.work[step.operation.output]
    words = step.words(rescale, work, shape[1], shape[0], places, layout)
    return Made("linear4", words, weight, constants)


def _with_weights(step: Step, shape: tuple[int, ...]) -> tuple[int, Tensor, NDArray[np.int32]]:
    """Return RESCALE, the weight, and biases and rescaling words: once for all stripes of rows."""
    if not step.common:
        step.common.append(_new_weights(step, shape))
    found: tuple[int, Tensor, NDArray[np.int32]] = step.common[0]
    return found


def _new_weights(step: Step, shape: tuple[int, ...]) -> tuple[int, Tensor, NDArray[np.int32]]:
    operation = step.operation
    name = f"{step.name}.weight"
    per = operation.per or step.per
    weight, bias = operation.weight, operation.bias
    fewer = (operation.bits, operation.moments if operation.bits < 8 else None, operation.scales)
    found = integers(name, weight, bias, step.given, per, shape, *fewer, step.fit)
    factors = step.given.scale * found.scales / step.made.scale
    rescale, constants = step.constants(found.bias, [word(factor) for factor in factors.tolist()])
    return rescale, found.tensor, constants


def _max_pool(step: Step) -> Made:
    operation: MaxPool = step.operation
    if step.made != step.given:
        raise Unsupported("a state can't be what a max pool makes, in integers", step.name)
    words = step.words(0, 0, 0, operation.channels, *operation.window.words(), cut=False)
    return Made("max_pool2d", words)


def _average_pool(step: Step) -> Made:
    operation: AveragePool = step.operation
    factors = step.given.scale / (step.made.scale * operation.divisors)
    bias = -step.given.zero_point * operation.inside
    rescale, constants = step.constants(bias, [word(factor) for factor in factors.tolist()])
    words = step.words(rescale, 0, 0, operation.channels, *operation.window.words(), len(bias))
    return Made("avg_pool2d", words, None, constants)


SUMS: dict[type, Maker] = {
    Linear: _linear,
    Convolution: _convolution,
    MaxPool: _max_pool,
    AveragePool: _average_pool,
}
