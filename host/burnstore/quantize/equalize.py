"""Channels of a value made alike.

A channel is multiplied by a factor where it is made, and the weights that read it are divided by that. What
is cut at 0 or pooled in between is multiplied, too. Where a channel's numbers are small beside the others', a
factor lets it use more of the bytes. It goes all the way where the weights behind it have a scale of their
own, as those of a depthwise convolution have; elsewhere both sides go halfway.
"""

from collections.abc import Mapping
from math import inf

import numpy as np

from burnstore.graph.fold import into_earlier, into_later
from burnstore.graph.network import Network
from burnstore.graph.operations import (
    AveragePool,
    Convolution,
    Linear,
    MaxPool,
    Numbers,
    Operation,
    Scale,
)
from burnstore.quantize.statistics import Spread

_MOST = 64.0  # the largest factor, and the inverse of the least

Weighted = Linear | Convolution


def equalize(network: Network, found: Mapping[int, Spread]) -> dict[int, Numbers]:
    """Make channels alike; return what those of each value are multiplied by.

    found: how the numbers of values are spread.
    """
    factors: dict[int, Numbers] = {}
    left = {state.next for state in network.states}  # to the next run, which knows of no factors
    for before in network.operations:
        if isinstance(before, Weighted) and before.layout[0] > 1 and _only_cuts_at_0(before):
            values, after = _behind(network, before)
            if not left.isdisjoint(values):
                continue
            if (
                after is not None
                and values[-1] in found
                and _reads_channels(after, before, found[values[-1]])
            ):
                factor = _factor(before, after, found[values[-1]])
                into_later(after, _scale(before, found[values[-1]], 1 / factor))
                into_earlier(before, _scale(before, found[values[-1]], factor))
                factors.update(dict.fromkeys(values, factor))
    return factors


def _only_cuts_at_0(operation: Operation) -> bool:
    return (operation.low == 0.0 or operation.low == -inf) and operation.high == inf


def _behind(network: Network, before: Weighted) -> tuple[list[int], Weighted | None]:
    """Return the values between an operation and the one with weights behind it, and that one."""
    values = [before.output]
    reader = network.only_reader(before.output)
    while isinstance(reader, (MaxPool, AveragePool)) and _only_cuts_at_0(reader):
        values.append(reader.output)
        reader = network.only_reader(reader.output)
    return values, reader if isinstance(reader, Weighted) else None


def _reads_channels(after: Weighted, before: Weighted, spread: Spread) -> bool:
    if isinstance(after, Linear):
        return after.rows == 1 and after.weight.shape[-1:] == spread.largest.shape
    return bool(after.groups * after.weight.shape[1] == before.layout[0])


def _scale(before: Weighted, spread: Spread, factor: Numbers) -> Scale:
    """Return what multiplies the channels that come out of an operation, or out of the pools behind it."""
    size = len(spread.largest)
    plane = (1, size // len(factor))
    shift = np.zeros(len(factor))
    return Scale(
        name="", inputs=(), output=before.output, count=size, plane=plane, factor=factor, shift=shift
    )


def _factor(before: Weighted, after: Weighted, spread: Spread) -> Numbers:
    """Return what to multiply each channel by; where nothing is known of one, 1."""
    channels = before.layout[0]
    reach = np.maximum(-np.maximum(spread.least, before.low), spread.largest).reshape(channels, -1).max(1)
    weights = _weights(after, channels)
    used = (reach > 0) & (weights > 0)
    ratio = 1 / reach[used] if _is_depthwise(after) else np.sqrt(weights[used] / reach[used])
    found = np.ones(channels)
    if len(ratio):
        found[used] = np.clip(ratio / np.exp(np.log(ratio).mean()), 1 / _MOST, _MOST)
    return found


def _is_depthwise(after: Weighted) -> bool:
    return isinstance(after, Convolution) and after.is_depthwise


def _weights(after: Weighted, channels: int) -> Numbers:
    """Return the largest weight that each channel is multiplied by."""
    weight = np.abs(after.weight)
    found: Numbers
    if isinstance(after, Linear):
        found = weight.reshape(len(weight), channels, -1).max((0, 2))
    else:
        found = weight.reshape(after.groups, -1, *weight.shape[1:]).max((1, 3, 4)).reshape(-1)
    return found
