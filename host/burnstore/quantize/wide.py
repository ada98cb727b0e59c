"""What the integers of values of 16 bits stand for.

A value has 65,535 steps, but where its numbers are added up: so many that no sum can pass 2^30, whatever the
program's weights are, and that there is room for the bias. Numbers that are only moved keep what they are.
"""

from collections.abc import Mapping

import numpy as np

from burnstore.graph.moves import Move
from burnstore.graph.network import Network
from burnstore.graph.operations import (
    Add,
    AveragePool,
    Convolution,
    Linear,
    Operation,
    Product,
    Sum,
)
from burnstore.graph.wide import Widen
from burnstore.quantize.calibrate import SMALLEST, Bytes, bytes_of
from burnstore.quantize.rescale import LARGEST
from burnstore.quantize.statistics import Range
from burnstore.quantize.tables import STEPS

WIDTH = 2

_WEIGHT_MOST = 128
_FULL = 0.9  # of 2^30, for sums and biases, as far as these are foreseen

# By how much finer than what an operation is made of its output may be: see `programs.integers.wide`.
_FINER_SUMS, _FINER_PRODUCTS, _FINER_ADD = 64.0, 8.0, 4096.0


def with_wide(network: Network, known: dict[int, Bytes], found: Mapping[int, Range]) -> dict[int, Bytes]:
    """Return what integers stand for, by value, with those of the values of 16 bits.

    known: of all bytes. found: the whole range of each followed value, as nothing needs to be cut.
    """
    all_known = dict(known)
    for operation in network.operations:
        for value in operation.outputs:
            if value is not None and value in network.wide:
                all_known[value] = _wide_bytes(network, value, all_known, found)
    return all_known


def _wide_bytes(
    network: Network, value: int, known: Mapping[int, Bytes], found: Mapping[int, Range]
) -> Bytes:
    maker = network.maker(value)
    if isinstance(maker, Widen):
        given = known[maker.inputs[0]]
        return Bytes(given.scale, given.zero_point, given.most, WIDTH)
    joined = _moved_together(network, value)
    already = [known[other] for other in joined if other in known]
    if already:
        return already[0]
    ranges = [_range(network, other, found) for other in joined]
    least, largest = min(low for low, _ in ranges), max(high for _, high in ranges)
    finest = max(SMALLEST, *(_finest(network.maker(other), known) for other in joined))
    most = min(_most(network, other, (least, largest)) for other in joined)
    return bytes_of(least, largest, finest, most, WIDTH)


def _moved_together(network: Network, value: int) -> list[int]:
    """Return the values that moves join with one, itself included: their integers are alike."""
    moves = [each for each in network.operations if isinstance(each, Move) and each.output in network.wide]
    found = [value]
    for other in found:
        for move in moves:
            if other in (move.output, *move.inputs):
                found += [each for each in (move.output, *move.inputs) if each not in found]
    return found


def _range(network: Network, value: int, found: Mapping[int, Range]) -> Range:
    maker = network.maker(value)
    least, largest = found[network.followed(value)]
    if isinstance(maker, Move):
        least, largest = min([least, *maker.constants]), max([largest, *maker.constants])
    if maker is not None:
        cut = np.clip((least, largest), maker.low, maker.high)
        least, largest = float(cut[0]), float(cut[1])
    return least, largest


def _most(network: Network, value: int, reach: Range) -> int:
    """Return the largest integer of a value, for what adds it up."""
    found = STEPS
    for reader in network.readers(value):
        if isinstance(reader, Linear | Convolution | AveragePool):
            found = min(found, _summed(reader, reach))
    return found


def _summed(reader: Linear | Convolution | AveragePool, reach: Range) -> int:
    """Return the largest integer of what an operation adds up."""
    least, largest = min(0.0, reach[0]), max(0.0, reach[1])
    width = largest - least or 1.0
    if isinstance(reader, AveragePool):
        count = int(np.prod(reader.window.kernel))
        return int(_FULL * LARGEST / (count * (_WEIGHT_MOST - least / width)))
    rows = reader.weight.reshape(len(reader.bias), -1)
    products = float(_WEIGHT_MOST * rows.shape[1])
    scales = np.abs(rows).max(1) / (_WEIGHT_MOST - 1)
    scales[scales == 0] = 1.0
    # What a bias takes for one step of the largest integer, with all that the zero point adds to it.
    biases = np.abs(least * rows.sum(1) + reader.bias) / (scales * width)
    room = products + min(products, float(biases.max(initial=0)))
    return int(_FULL * LARGEST / room)


def _finest(maker: Operation | None, known: Mapping[int, Bytes]) -> float:
    """Return the least scale that an operation's output can have, as far as what comes in is known yet."""
    if maker is None or not all(value in known for value in maker.inputs):
        return 0.0
    scales = [known[value].scale for value in maker.inputs]
    if isinstance(maker, Linear | Convolution):
        return float(scales[0] * np.abs(maker.weight).max() / (_WEIGHT_MOST - 1) / _FINER_SUMS)
    if isinstance(maker, AveragePool):
        return float(scales[0] / maker.divisors[0] / _FINER_SUMS)
    if isinstance(maker, Product):
        return scales[0] * (scales + [kept_bytes(maker).scale])[1] / _FINER_PRODUCTS
    if isinstance(maker, Add | Sum):
        scales += [kept_bytes(maker).scale] if isinstance(maker, Sum) else []
        factors = zip(maker.factors, scales, strict=False)
        return max(abs(factor) * scale for factor, scale in factors) / _FINER_ADD
    return 0.0


def kept_bytes(operation: Sum | Product) -> Bytes:
    """Return what the integers of an operation's kept numbers stand for."""
    if operation.kept is None:
        return Bytes(1.0, 0, STEPS, WIDTH)
    return bytes_of(float(operation.kept.min()), float(operation.kept.max()), SMALLEST, STEPS, WIDTH)
