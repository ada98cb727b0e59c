"""What scales channels goes into the operations beside it."""

from math import prod
from typing import TypeGuard

import numpy as np

from burnstore.graph.network import Network
from burnstore.graph.operations import Convolution, Linear, Numbers, Operation, Scale, Window


def fold_scales(network: Network) -> None:
    """Leave no `Scale` in the network."""
    for operation in list(network.operations):
        if isinstance(operation, Scale):
            _place_scale(network, operation)


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
