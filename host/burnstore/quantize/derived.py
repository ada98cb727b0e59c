"""Ranges that follow from what is known: no sample is needed for them.

A network that PyTorch has quantized says of most values what their bytes stand for. Of what it left in
floats, most takes its numbers from such values, and reaches no further than these and its weights let it.
"""

from collections.abc import Callable
from math import sqrt
from typing import Any

import numpy as np

from burnpack.errors import InvalidTensor
from burnstore.graph.moves import Move
from burnstore.graph.network import Network
from burnstore.graph.operations import (
    Add,
    AveragePool,
    Convolution,
    Linear,
    Lookup,
    MaxPool,
    Numbers,
    Product,
    Resample,
    Sum,
)
from burnstore.graph.transposed import Transposed
from burnstore.quantize.calibrate import OF_SHARES, Bytes
from burnstore.quantize.statistics import Range

_WIDE = 4.0  # times as wide as what occurs: two bits of eight are lost then
_DEVIATIONS = 4.0  # how far from the mean of a sum its numbers occur


def derived(network: Network, fixed: dict[int, Bytes]) -> dict[int, Range]:
    """Return the range of each value of a network.

    fixed: what the bytes of values stand for. Raises `InvalidTensor` where a range does not follow from
    them, or is so wide that bytes would be too coarse.
    """
    if not any(known != OF_SHARES for known in fixed.values()):
        raise InvalidTensor("samples are needed to quantize this model (--calibrate)", "the samples")
    found: dict[int, Range] = {}
    sums: set[int] = set()  # values whose range is that of a sum, or follows from one
    for value in network.values():
        if value in fixed:
            low, high = fixed[value].numbers([0, 255])
            found[value] = float(low), float(high)
            continue
        maker = network.maker(value)
        if maker is None:
            raise _unknown("the input")
        rule = _RULES.get(type(maker))
        if rule is None or (isinstance(maker, _SUMS) and not sums.isdisjoint(maker.inputs)):
            raise _unknown(maker.name)
        if isinstance(maker, _SUMS) or not sums.isdisjoint(maker.inputs):
            sums.add(value)
        given = [found[read] for read in maker.inputs]
        low, high = np.clip(rule(maker, given), maker.low, maker.high)
        found[value] = float(low), float(high)
    _narrow(network, fixed, found)
    return found


def _narrow(network: Network, fixed: dict[int, Bytes], found: dict[int, Range]) -> None:
    """Cut ranges to what makes a difference where the values are added to others: the sums are cut, too."""
    for value in reversed(list(network.values())):
        readers = network.readers(value)
        if value in fixed or network.is_output(value) or not readers:
            continue
        if all(isinstance(reader, Add | Sum) and reader.inputs.count(value) == 1 for reader in readers):
            ends = [_let_through(reader, value, found) for reader in readers]
            low, high = np.clip(found[value], min(low for low, _ in ends), max(high for _, high in ends))
            found[value] = float(low), float(high)


def _let_through(reader: Any, value: int, found: dict[int, Range]) -> Range:
    """Return how far a value makes a difference in a sum with another one."""
    place = reader.inputs.index(value)
    factor, others = reader.factors[place], _operands(reader, [found[read] for read in reader.inputs])
    least, largest = sorted(reader.factors[1 - place] * end for end in others[1 - place])
    low, high = np.clip(found[reader.output], reader.low, reader.high)
    if not factor:
        return 0.0, 0.0
    low, high = sorted(((low - largest) / factor, (high - least) / factor))
    return float(low), float(high)


def _unknown(name: str) -> InvalidTensor:
    what = "PyTorch has left this in floats, so its range is not known: give samples (--calibrate)"
    return InvalidTensor(what, name)


def _sum(operation: Any, given: list[Range]) -> Range:
    """Return how far sums of weights times numbers reach. Raises `InvalidTensor` where that is too far."""
    rows, (low, high) = operation.weight.reshape(len(operation.bias), -1), given[0]
    ends: Numbers = np.stack([rows * low, rows * high])
    if isinstance(operation, Transposed) or (isinstance(operation, Convolution) and operation.window.pads):
        ends = np.stack([np.minimum(ends.min(0), 0), np.maximum(ends.max(0), 0)])
    least, largest = (each.sum(1) + operation.bias for each in (ends.min(0), ends.max(0)))
    middle = rows.sum(1) * (low + high) / 2 + operation.bias
    reach = _DEVIATIONS * np.sqrt(np.square(rows).sum(1)) * (high - low) / sqrt(12)
    occurs = max((middle + reach).max(), 0) - min((middle - reach).min(), 0)
    if largest.max() - least.min() > _WIDE * occurs:
        raise _unknown(operation.name)
    return float(least.min()), float(largest.max())


def _added(operation: Any, given: list[Range]) -> Range:
    pairs = [
        sorted((factor * low, factor * high))
        for factor, (low, high) in zip(operation.factors, _operands(operation, given), strict=True)
    ]
    return sum(low for low, _ in pairs), sum(high for _, high in pairs)


def _multiplied(operation: Any, given: list[Range]) -> Range:
    first, second = _operands(operation, given)
    products = np.outer(first, second)
    return float(products.min()), float(products.max())


def _operands(operation: Any, given: list[Range]) -> list[Range]:
    """Return the ranges of two operands, of which one may be the same in each run."""
    kept = getattr(operation, "kept", None)
    return given if kept is None else [*given, (float(kept.min()), float(kept.max()))]


def _averaged(operation: Any, given: list[Range]) -> Range:
    """Return how far sums over windows reach, each divided by its divisor."""
    ends = np.outer(given[0], operation.inside / operation.divisors)
    return float(ends.min()), float(ends.max())


def _moved(operation: Any, given: list[Range]) -> Range:
    ends = [end for each in given for end in each]
    ends += [] if operation.filled is None else [operation.filled]
    return min(ends), max(ends)


def _table(operation: Any, given: list[Range]) -> Range:
    answers = operation.function(np.linspace(*given[0], 256))
    if np.isnan(answers).all():
        raise _unknown(operation.name)
    return float(np.nanmin(answers)), float(np.nanmax(answers))


def _same(operation: Any, given: list[Range]) -> Range:
    return given[0]


_SUMS = (Linear, Convolution, Transposed)
_RULES: dict[type, Callable[[Any, list[Range]], Range]] = {
    Linear: _sum,
    Convolution: _sum,
    Transposed: _sum,
    Add: _added,
    Lookup: _table,
    MaxPool: _same,
    AveragePool: _averaged,
    Resample: _same,
    Sum: _added,
    Product: _multiplied,
    Move: _moved,
}
