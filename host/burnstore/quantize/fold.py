"""Operations put together: what scales channels and what cuts goes into the operations beside it."""

from math import prod
from typing import TypeGuard

import numpy as np

from burnstore.quantize.operations import (
    Add,
    AveragePool,
    Clip,
    Convolution,
    Linear,
    Lookup,
    MaxPool,
    Network,
    Numbers,
    Operation,
    Scale,
    Window,
)

_CUTTING = (Linear, Convolution, AveragePool, Add, Lookup)  # what can cut its own output


def fold_network(network: Network) -> None:
    """Leave no `Scale` and no `Clip` in the network."""
    for operation in list(network.operations):
        if isinstance(operation, Scale):
            _place_scale(network, operation)
    for operation in list(network.operations):
        if isinstance(operation, Clip):
            _place_clip(network, operation)


def _place_scale(network: Network, scale: Scale) -> None:
    before, after = network.maker(scale.inputs[0]), network.only_reader(scale.output)
    if _has_weights(before) and before.layout == scale.layout and network.only_reader(before.output):
        _into_earlier(before, scale)
        network.operations.remove(scale)
    elif _has_weights(after) and _reads_channels(after, scale):
        _into_later(after, scale)
        network.drop(scale, scale.inputs[0])
    else:
        network.replace(scale, _as_convolution(scale))


def _has_weights(operation: Operation | None) -> TypeGuard[Linear | Convolution]:
    return isinstance(operation, (Linear, Convolution))


def _into_earlier(before: Linear | Convolution, scale: Scale) -> None:
    """Scale what a Linear or a convolution makes; it makes the output of both then."""
    shape = (-1,) + (1,) * (before.weight.ndim - 1)
    before.weight = before.weight * scale.factor.reshape(shape)
    before.bias = before.bias * scale.factor + scale.shift
    before.output = scale.output


def _reads_channels(after: Linear | Convolution, scale: Scale) -> bool:
    """Tell whether what is read are the channels. A convolution must not pad: padding is not shifted."""
    if isinstance(after, Linear):
        return after.rows == 1
    return not after.window.pads and prod(after.window.size) == scale.layout[1]


def _into_later(after: Linear | Convolution, scale: Scale) -> None:
    """Scale what a Linear or a convolution reads."""
    shifted = after.weight * _per_weight(after, scale, scale.shift)
    after.bias = after.bias + shifted.reshape(len(after.bias), -1).sum(1)
    after.weight = after.weight * _per_weight(after, scale, scale.factor)


def _per_weight(after: Linear | Convolution, scale: Scale, numbers: Numbers) -> Numbers:
    """Return what each weight's input has of `numbers`, one a channel, in a shape that fits the weight."""
    if isinstance(after, Linear):
        return np.repeat(numbers, scale.layout[1])
    outputs = len(after.bias) // after.groups
    return np.repeat(numbers.reshape(after.groups, -1), outputs, axis=0)[:, :, None, None]


def _as_convolution(scale: Scale) -> Convolution:
    """Return a convolution of each channel alone, by a kernel of one place."""
    return Convolution(
        name=scale.name,
        inputs=scale.inputs,
        output=scale.output,
        count=scale.count,
        window=Window(scale.plane, scale.plane, (1, 1)),
        groups=len(scale.factor),
        weight=scale.factor.reshape(-1, 1, 1, 1),
        bias=scale.shift,
        per="channel",
    )


def _place_clip(network: Network, clip: Clip) -> None:
    value = clip.inputs[0]
    if _cut(network, value, clip):
        network.drop(clip, value)
    else:
        lookup = Lookup(
            name=clip.name,
            inputs=clip.inputs,
            output=clip.output,
            count=clip.count,
            low=clip.low,
            high=clip.high,
            function=lambda numbers: numbers,
        )
        network.replace(clip, lookup)


def _cut(network: Network, value: int, clip: Clip) -> bool:
    """Cut a value where it is made, which a MaxPool leaves to what is before it; tell whether that can be."""
    maker = network.maker(value)
    if maker is None or network.only_reader(value) is None:
        return False
    if isinstance(maker, MaxPool):
        if not _cut(network, maker.inputs[0], clip):
            return False
    elif not isinstance(maker, _CUTTING):
        return False
    maker.cut(clip.low, clip.high)
    return True
