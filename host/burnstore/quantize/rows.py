"""A model in a smaller arena: where it is largest, rows are computed in stripes.

Of all regions that have the first step which needs too much, and all numbers of stripes, that is taken which
takes least time among those that fit. Later steps that need too much are seen to after it in the same way.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from burnpack.errors import Unsupported
from burnrt.memory import SPARE
from burnstore.graph.moves import Move
from burnstore.graph.network import Network
from burnstore.graph.stripes import Region, kept, planes_of, region_of, striped
from burnstore.programs.form import STEPS_MOST
from burnstore.programs.integers import program_of
from burnstore.quantize.calibrate import Bytes
from burnstore.quantize.memory import alive, effort, lay_out, size_within
from burnstore.quantize.quantized import Quantized

_COUNTS = (2, 3, 4, 6, 8, 12, 16, 24, 32)  # of stripes
_GROWTHS = (1.0, 1.5)  # powers by which stripes become larger, while what they read becomes free
_ROOMS = (1.0, 0.97, 0.94, 0.9)  # of an arena for a region: all regions together may need some more
_AGAIN_MOST = 3  # values of a region whose rows are made again
_LEAST = 16  # of how small an arena can be, this share is not looked at closer
_ALIGNED = 4
_LONGEST = 16  # operations of a region
# What is taken, in instructions: for a step, with what it takes of a board's memory, a row that is copied, a
# byte of it, and a product.
_STEP, _ROW, _BYTE, _PRODUCT = 5000, 25, 1, 2.5


class _Tried(NamedTuple):
    """A network with a region in stripes. cost: what it takes. steps: of the region."""

    cost: float
    network: Network
    steps: range


def in_arena(quantized: Quantized, arena: int, per: str) -> Quantized:
    """Return the model with an arena of so many bytes at most.

    per: see `weights`. Raises `Unsupported` where it can't be so small.
    """
    most = arena - SPARE
    network = _fitting(quantized.network, quantized.known, most)
    if network is None:
        least = _least(quantized, most)
        what = "the arena can't be so small"
        raise Unsupported(what, expected=f"{least + SPARE} bytes at least", found=arena)
    known = _known(network, quantized.known)
    program = program_of(network, known, per, quantized.fits, most)
    return replace(quantized, program=program, striped=network)


def _least(quantized: Quantized, most: int) -> int:
    """Return how small the arena can be, as far as that is found quickly. most: what it can't be."""
    network, known = quantized.network, quantized.known
    fits = _size(network, known, 0)
    while fits - most > max(fits // _LEAST, _ALIGNED):
        middle = (fits + most) // 2
        found = _fitting(network, known, middle)
        if found is None:
            most = middle
        else:
            fits = _size(found, known, middle)
    return fits


def _fitting(network: Network, known: Mapping[int, Bytes], most: int) -> Network | None:
    """Return the network with regions in stripes, so that the arena has so many bytes at most, or None."""
    for room in _ROOMS:
        found = _with_regions(network, known, most, int(most * room))
        if found is not None:
            return found
    return None


def _with_regions(network: Network, known: Mapping[int, Bytes], most: int, region: int) -> Network | None:
    """Return the same, where each region alone takes `region` bytes at most."""
    while _size(network, known, most) > most:
        needed = alive(network)
        first = next((step for step, size in enumerate(needed) if size > region), None)
        if first is None:
            return None
        tried = sorted(_tried(network, first, most), key=lambda each: each.cost)
        found = next((each.network for each in tried if _fits(each, region)), None)
        if found is None:
            return None
        network = found
    return network


def _fits(tried: _Tried, most: int) -> bool:
    """Tell whether what the region needs has its place."""
    needed = alive(tried.network)[tried.steps.start : tried.steps.stop]
    return max(needed) <= most and size_within(tried.network, tried.steps, most) <= most


def _size(network: Network, known: Mapping[int, Bytes], most: int) -> int:
    """Return the bytes of the least arena. most: how many there may be."""
    return lay_out(network, _known(network, known), None, most).memory.size


def _known(network: Network, known: Mapping[int, Bytes]) -> dict[int, Bytes]:
    """Return what bytes stand for, those of stripes too."""
    return {**known, **{value: known[stripe.whole] for value, stripe in network.stripes.items()}}


def _tried(network: Network, step: int, arena: int) -> Iterator[_Tried]:
    """Yield the network with each region in stripes that has a step."""
    planes, sizes = planes_of(network), network.sizes
    for start in range(max(0, step + 1 - _LONGEST), step + 1):
        least = None
        for stop in range(step + 1, min(start + _LONGEST, len(network.operations)) + 1):
            region = region_of(network, start, stop, planes)
            if region is not None and (least is None or sizes[region.exit] < least):
                least = sizes[region.exit]
                for found in _in_stripes(network, region):
                    size = len(found.operations) - len(network.operations) + stop - start
                    yield _Tried(_cost(found, arena), found, range(start, start + size))


def _in_stripes(network: Network, region: Region) -> Iterator[Network]:
    """Yield the network with a region in several numbers of stripes, of which more and more is made again."""
    seen = set()
    for growth in _GROWTHS:
        for count in _COUNTS:
            ends = tuple(
                _rounded(region.height * (stripe / count) ** growth) for stripe in range(1, count + 1)
            )
            if ends in seen or ends[0] == 0 or any(first == end for first, end in pairwise(ends)):
                continue
            seen.add(ends)
            found = striped(network, region, ends)
            values = kept(found)
            for many in range(min(len(values), _AGAIN_MOST) + 1):
                found = striped(network, region, ends, values[:many]) if many else found
                if len(found.operations) <= STEPS_MOST:
                    yield found


def _rounded(number: float) -> int:
    return int(number + 0.5)


def _cost(network: Network, arena: int) -> float:
    """Return what tells which of several networks takes less time in an arena of so many bytes."""
    cost = _STEP * len(network.operations) + _PRODUCT * effort(network, arena)
    for operation in network.operations:
        if isinstance(operation, Move) and operation.output in network.stripes:
            for part in operation.parts:
                row = part.dims[-1][0] if part.dims else 1
                cost += _BYTE * part.count + _ROW * (part.count // row)
    return cost
