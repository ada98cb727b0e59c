"""Which way of making integers loses least on samples that they were not made from.

Every method is tried: made from three quarters of the samples, and run on some of the others. The one that is
chosen is made from all of them.
"""

from collections.abc import Iterable
from dataclasses import replace
from math import inf

import numpy as np

from burnpack.errors import InvalidTensor
from burnstore.graph.network import Network
from burnstore.quantize.calibrate import OF_SHARES, Bytes
from burnstore.quantize.errors import loss
from burnstore.quantize.methods import METHODS, differs, quantized_by
from burnstore.quantize.quantized import Quantized
from burnstore.quantize.reference import Reference
from burnstore.quantize.samples import Samples
from burnstore.quantize.statistics import Flow

AUTO = "auto"
CHOICES = (AUTO, *METHODS)

_FEWEST = 32  # samples: of fewer, none can be spared, and a bias is not corrected by what so few say
_EVERY = 4  # of the samples, one of so many is held out


def quantized_best(
    reference: Reference,
    network: Network,
    samples: Samples,
    per: str,
    fixed: dict[int, Bytes],
    ranges: str = AUTO,
    percentile: float | None = None,
) -> Quantized:
    """Return a network in integers.

    ranges: of `CHOICES`. "auto" takes the method that loses least. It takes "minmax" where there are few
    samples, and for a network that PyTorch has quantized, whose numbers stay: others are refused for that.
    per, fixed, percentile: as for `quantized_by`; with a percentile no method has to be tried.
    """
    samples = reference.given(samples)
    flow, losses = Flow(reference, samples), {}
    if _is_kept(fixed) and ranges not in (AUTO, "minmax"):
        what = "a network that PyTorch has quantized keeps its numbers"
        raise InvalidTensor(what, "the ranges", expected=f"{AUTO} or minmax", found=ranges)
    methods = methods_to_try(ranges, samples, fixed, percentile)
    if len(methods) > 1:
        losses = _tried(methods, reference, network, samples, per, fixed)
    ranges = min(methods, key=lambda name: losses.get(name, inf))
    return replace(quantized_by(ranges, flow, network, per, fixed, percentile), losses=losses)


def _is_kept(fixed: dict[int, Bytes]) -> bool:
    """Tell whether PyTorch has quantized a network, whose numbers stay."""
    return any(known != OF_SHARES for known in fixed.values())


def methods_to_try(
    ranges: str, samples: Samples, fixed: dict[int, Bytes], percentile: float | None = None
) -> list[str]:
    """Return the methods of which one is to be taken, as `quantized_best` says."""
    if ranges != AUTO:
        return [ranges]
    if _is_kept(fixed) or len(samples[0]) < _FEWEST:
        return ["minmax"]
    return list(METHODS) if percentile is None else ["fitted"]


def held_out(reference: Reference, samples: Samples) -> tuple[Samples, Samples]:
    """Return samples to make integers from, and others to judge them by: of few samples all for both."""
    count = len(samples[0])
    if count < _FEWEST:
        return samples, samples
    held = np.arange(count) % _EVERY == _EVERY - 1
    if reference.is_stream(samples):
        held.sort()
    kept, others = (tuple(array[chosen] for array in samples) for chosen in (~held, held))
    return kept, others


def _tried(
    methods: Iterable[str],
    reference: Reference,
    network: Network,
    samples: Samples,
    per: str,
    fixed: dict[int, Bytes],
) -> dict[str, float]:
    """Return what each method loses on samples that are held out: of a stream the last ones."""
    kept, others = held_out(reference, samples)
    flow = Flow(reference, kept)
    names = [name for name in methods if differs(name, flow, network)]
    return {name: loss(quantized_by(name, flow, network, per, fixed), others) for name in names}
