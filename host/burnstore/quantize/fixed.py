"""The bytes of values that a network says itself: where it rounds, as PyTorch has quantized it."""

from math import inf
from typing import NamedTuple

import numpy as np

from burnpack.errors import Unsupported
from burnstore.graph.moves import Move
from burnstore.graph.network import Network
from burnstore.graph.operations import AveragePool, Clip, Embedding, MaxPool, Resample, Softmax, cutting
from burnstore.graph.rounds import Round
from burnstore.quantize.calibrate import OF_SHARES, SMALLEST, Bytes

_PASSING = (Clip, MaxPool)  # what makes numbers of its input's, unchanged
_KEEPING = (*_PASSING, AveragePool, Resample)  # what PyTorch makes bytes of bytes by, with the same scale


class _Rounded(NamedTuple):
    """What a value is rounded to: bytes, and the bounds to which it is cut."""

    bytes: Bytes
    low: float = -inf
    high: float = inf

    @property
    def takes_all(self) -> bool:
        """Whether no byte is beyond the bounds: of symmetric ones, one step is."""
        low, high = self.bytes.cut(self.low, self.high)
        return low <= 1 and high == 255


_Fixed = dict[int, _Rounded]


def fix_rounded(network: Network) -> dict[int, Bytes]:
    """Leave no `Round` in a network; return what bytes stand for, of each value that is known by them.

    What makes a value that is rounded makes it so at once. Where it can't, as the value has other bytes
    already, a table makes one byte of the other. Of several ways to round one value, the coarsest is its own.
    Raises `Unsupported` for a scale that no board has.
    """
    fixed: _Fixed = {}
    for operation in list(network.operations):
        if isinstance(operation, Softmax):
            fixed[operation.output] = _Rounded(OF_SHARES)
        elif isinstance(operation, Round) and operation in network.operations:
            readers = network.readers(operation.inputs[0])
            alike = [each for each in readers if isinstance(each, Round)]
            for each in sorted(alike, key=lambda found: found.scale, reverse=True):
                _place_round(network, each, fixed)
    return {value: rounded.bytes for value, rounded in fixed.items()}


def pass_on(network: Network, fixed: dict[int, Bytes]) -> None:
    """Give what only cuts numbers, or takes their means, the bytes of its input, as PyTorch does."""
    for operation in network.operations:
        if isinstance(operation, _KEEPING) and operation.inputs[0] in fixed:
            fixed.setdefault(operation.output, fixed[operation.inputs[0]])


def _place_round(network: Network, operation: Round, fixed: _Fixed) -> None:
    value, wanted = operation.inputs[0], _rounded(operation)
    if _fix(network, value, wanted, fixed):
        network.drop(operation, value)
        return
    fixed[operation.output] = wanted
    network.replace(operation, cutting(operation))


def _rounded(operation: Round) -> _Rounded:
    scale = float(np.float32(operation.scale))
    if not SMALLEST <= scale < np.inf:
        raise Unsupported("a scale that boards can't have", operation.name, found=operation.scale)
    return _Rounded(Bytes(scale, operation.zero_point), operation.low, operation.high)


def _fix(network: Network, value: int, wanted: _Rounded, fixed: _Fixed) -> bool:
    """Give a value its bytes, and those too that it takes its numbers from; tell whether it has them now."""
    if value in fixed:
        return fixed[value] == wanted
    maker = network.maker(value)
    if isinstance(maker, Embedding):
        return False  # whose table is weights
    if maker is None and not wanted.takes_all:  # nobody cuts what comes in
        fixed[value] = _Rounded(wanted.bytes)
        return False
    if isinstance(maker, (*_PASSING, Move)):
        before = [_fix_before(network, each, wanted, fixed) for each in maker.inputs]
        if not all(before) and not (isinstance(maker, Move) and wanted.takes_all):
            return False  # a move makes bytes of others, and cuts none
    if maker is not None:
        maker.cut(wanted.low, wanted.high)
    fixed[value] = wanted
    return True


def _fix_before(network: Network, value: int, wanted: _Rounded, fixed: _Fixed) -> bool:
    """Give a value the bytes of what it becomes, unless others may round it otherwise."""
    if value not in fixed and network.only_reader(value) is None:
        return False
    return _fix(network, value, wanted, fixed)
