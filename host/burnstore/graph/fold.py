"""What scales channels goes into the operations beside it."""

from math import prod
from typing import TypeGuard

import numpy as np

from burnstore.graph.network import Network
from burnstore.graph.operations import (
    Convolution,
    Linear,
    Lookup,
    Numbers,
    Operation,
    Product,
    Scale,
    Steps,
    Sum,
    Window,
)
from burnstore.graph.transposed import Transposed

_SIDE_BY_SIDE: tuple[Steps, Steps] = ((0, 0, 1), (0, 0, 1))


def fold_scales(network: Network) -> None:
    """Leave no `Scale` in the network."""
    for operation in list(network.operations):
        if isinstance(operation, Scale):
            _place_scale(network, operation)


def _place_scale(network: Network, scale: Scale) -> None:
    before, after = network.maker(scale.inputs[0]), network.only_reader(scale.output)
    if _is_scaled(before) and _makes_channels(before, scale) and network.only_reader(before.output):
        into_earlier(before, scale)
        network.operations.remove(scale)
    elif isinstance(after, Scale) and (_is_even(after) or after.layout == scale.layout):
        after.factor, after.shift = scale.factor * after.factor, scale.shift * after.factor + after.shift
        after.plane = scale.plane
        network.drop(scale, scale.inputs[0])
    elif _has_weights(after) and _reads_channels(after, scale):
        into_later(after, scale)
        network.drop(scale, scale.inputs[0])
    else:
        network.replace(scale, _alone(scale))


def _is_scaled(operation: Operation | None) -> TypeGuard[Linear | Convolution | Transposed]:
    return _has_weights(operation) or isinstance(operation, Transposed)


def _has_weights(operation: Operation | None) -> TypeGuard[Linear | Convolution]:
    return isinstance(operation, (Linear, Convolution))


def _makes_channels(before: Linear | Convolution | Transposed, scale: Scale) -> bool:
    """Tell whether what is made are the channels, or all is scaled alike."""
    return _is_even(scale) or before.layout == scale.layout


def _is_even(scale: Scale) -> bool:
    return len(scale.factor) == 1


def into_earlier(before: Linear | Convolution | Transposed, scale: Scale) -> None:
    """Scale what a Linear or a convolution makes; it makes the output of both then."""
    shape = (-1,) + (1,) * (before.weight.ndim - 1)
    before.weight = before.weight * scale.factor.reshape(shape)
    before.bias = before.bias * scale.factor + scale.shift
    if before.scales is not None:
        before.scales = before.scales * np.abs(scale.factor)
    before.output = scale.output


def _reads_channels(after: Linear | Convolution, scale: Scale) -> bool:
    """Tell whether what is read are the channels. Where a convolution pads, nothing is shifted."""
    if isinstance(after, Linear):
        return after.rows == 1 or _is_even(scale)
    if after.window.pads and scale.shift.any():
        return False
    return _is_even(scale) or prod(after.window.size) == scale.layout[1]


def into_later(after: Linear | Convolution, scale: Scale) -> None:
    """Scale what a Linear or a convolution reads."""
    shifted = after.weight * _per_weight(after, scale, scale.shift)
    after.bias = after.bias + shifted.reshape(len(after.bias), -1).sum(1)
    after.weight = after.weight * _per_weight(after, scale, scale.factor)
    after.scales = None  # which would be of each input


def _per_weight(after: Linear | Convolution, scale: Scale, numbers: Numbers) -> Numbers:
    """Return what each weight's input has of `numbers`, one a channel, in a shape that fits the weight."""
    if _is_even(scale):
        return numbers
    if isinstance(after, Linear):
        return np.repeat(numbers, scale.layout[1])
    outputs = len(after.bias) // after.groups
    return np.repeat(numbers.reshape(after.groups, -1), outputs, axis=0)[:, :, None, None]


def _alone(scale: Scale) -> Operation:
    """Return the operation that does nothing else.

    All numbers alike are looked up. Numbers of channels that lie side by side are added or multiplied, as
    far as one of these will do; else it is a convolution of each channel alone, by a kernel of one place.
    """
    common = scale.common
    if _is_even(scale):
        return Lookup(**common, function=lambda numbers: numbers * scale.factor + scale.shift)
    if prod(scale.plane) == 1 and not scale.shift.any():
        return Product(**common, extents=(1, 1, scale.count), steps=_SIDE_BY_SIDE, kept=scale.factor)
    if prod(scale.plane) == 1 and (scale.factor == 1).all():
        return Sum(**common, extents=(1, 1, scale.count), steps=_SIDE_BY_SIDE, kept=scale.shift)
    return Convolution(
        **common,
        window=Window(scale.plane, scale.plane, (1, 1)),
        groups=len(scale.factor),
        weight=scale.factor.reshape(-1, 1, 1, 1),
        bias=scale.shift,
        per="channel",
    )
