"""The ways in which a network becomes integers."""

from collections.abc import Iterator
from copy import copy
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from burnstore.graph.network import Network
from burnstore.graph.operations import Convolution, Linear, Softmax
from burnstore.graph.wide import Narrow
from burnstore.programs.integers import program_of
from burnstore.quantize.calibrate import Bytes, all_bytes
from burnstore.quantize.equalize import equalize
from burnstore.quantize.errors import drift
from burnstore.quantize.fit import Fit
from burnstore.quantize.grid import exact_inputs
from burnstore.quantize.inputs import average
from burnstore.quantize.quantized import Quantized
from burnstore.quantize.ranges import least_error, percentiles
from burnstore.quantize.statistics import Flow, Range
from burnstore.quantize.wide import with_wide


class Method(NamedTuple):
    """fits: whether weights and biases are fitted to what is multiplied. cuts: whether ranges are those of
    least error. equalizes: whether channels are made alike before.
    """

    fits: bool = False
    cuts: bool = False
    equalizes: bool = False


METHODS = {
    "minmax": Method(),
    "fitted": Method(fits=True),
    "mse": Method(fits=True, cuts=True),
    "equalized": Method(fits=True, cuts=True, equalizes=True),
}


def differs(name: str, flow: Flow, network: Network) -> bool:
    """Tell whether a method does with a network what those before it do not."""
    return not METHODS[name].equalizes or bool(equalize(_copied(network), flow.spreads))


def quantized_by(
    name: str,
    flow: Flow,
    network: Network,
    per: str,
    fixed: dict[int, Bytes],
    percentile: float | None = None,
) -> Quantized:
    """Return a network in integers.

    name: of `METHODS`. flow: what flows through the network. per: see `weights`. fixed: what bytes
    stand for, of values that are known by it. percentile: how much of the numbers is within a range, whatever
    the method says of ranges.
    """
    method, network = METHODS[name], _copied(network)
    if method.equalizes:
        flow = flow.scaled(equalize(network, flow.spreads))
    exact = exact_inputs(network, flow.levels) if percentile is None else {}
    known = all_bytes(network, _ranges(method, flow, network, percentile), {**exact, **fixed})
    known = with_wide(network, known, flow.ranges)

    def made(fits: dict[int, Fit]) -> Quantized:
        return Quantized(program_of(network, known, per, fits), network, known, flow.reference, name, fits)

    if not method.fits:
        return made({})
    fits, last = dict(_fits(network, flow)), _last(network)
    if last is not None and last.output in fits:
        off = drift(made(fits), last, flow.samples)
        fits[last.output] = fits[last.output]._replace(drift=off)
    return made(fits)


def _copied(network: Network) -> Network:
    """Return a network whose operations can be changed."""
    return replace(network, operations=[copy(each) for each in network.operations])


def _ranges(method: Method, flow: Flow, network: Network, percentile: float | None) -> dict[int, Range]:
    """Return the range of each value; what the network answers keeps its whole range."""
    whole = flow.ranges
    if percentile is not None:
        found = percentiles(flow.histograms, whole, percentile)
    elif method.cuts:
        found = least_error(network, flow)
    else:
        return whole
    return {**found, **{end.value: whole[end.value] for end in network.outputs if end.value in whole}}


def _fits(network: Network, flow: Flow) -> Iterator[tuple[int, Fit]]:
    """Yield what the weights of each operation multiply, by its output."""
    for each in network.operations:
        spread = flow.spreads.get(network.followed(each.inputs[0]))
        if isinstance(each, (Linear, Convolution)) and each.scales is None and spread is not None:
            outputs = len(each.bias)
            means, squares = (
                average(each, numbers).reshape(outputs, -1) for numbers in (spread.means, spread.squares)
            )
            yield each.output, Fit(means, squares, np.zeros(outputs))


def _last(network: Network) -> Linear | Convolution | None:
    """Return what makes the scores: its biases can take away by how much these are off on average."""
    found = network.maker(network.output)
    while isinstance(found, Softmax | Narrow):
        found = network.maker(found.inputs[0])
    return found if isinstance(found, (Linear, Convolution)) else None
