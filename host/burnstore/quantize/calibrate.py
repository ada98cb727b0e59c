"""What the bytes of each value stand for, found from the numbers that samples give.

    number = scale × (byte - zero point)

The range that a value has, as `ranges` says, with 0 always in it, is divided into 255 steps; of a value of 16
bits into as many as `wide` says.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from burnpack.errors import Unsupported
from burnrt import nn
from burnstore.graph.in_floats import Dequantize, InFloats
from burnstore.graph.moves import Move
from burnstore.graph.network import Network
from burnstore.graph.operations import Add, Embedding, Matmul, MaxPool, Numbers, Operation, Softmax, Sum
from burnstore.quantize.alike import alike
from burnstore.quantize.alike import finest as finest_of
from burnstore.quantize.statistics import Range

STEPS = 255
SMALLEST = 2.0**-126  # normal binary32
_ALIKE = 1.25  # how much wider a range may become, where that spares a rescaling: a third of a bit


@dataclass(frozen=True)
class Bytes:
    """What a value's bytes stand for. The scale is a binary32 number, so that every board has the same.

    most: the largest of its integers. width: the bytes that one of these takes.
    """

    scale: float
    zero_point: int
    most: int = STEPS
    width: int = 1

    def of(self, numbers: Any) -> NDArray[Any]:
        """Return the integers nearest to numbers, computed as `burnrt.numbers` does."""
        with np.errstate(over="ignore"):
            steps = np.asarray(numbers, np.float32) / np.float32(self.scale)
        kind = np.uint8 if self.width == 1 else np.uint16
        found: NDArray[Any] = np.clip(steps + np.float32(self.zero_point + 0.5), 0, self.most).astype(kind)
        return found

    def read(self, found: NDArray[np.uint8]) -> Numbers:
        """Return what integers stand for, as they lie in the arena."""
        return self.numbers(found if self.width == 1 else found.view(np.uint16))

    def numbers(self, found: Any) -> Numbers:
        """Return what bytes stand for."""
        return self.scale * (np.asarray(found, np.float64) - self.zero_point)

    @property
    def reach(self) -> float:
        """How far the numbers reach to either side."""
        return float(self.scale) * max(self.zero_point, self.most - self.zero_point)

    def cut(self, low: float, high: float) -> tuple[int, int]:
        """Return the bytes of the bounds."""
        least, largest = self.of([low, high]).tolist()
        return least, largest


MIDDLE = 128  # the zero point of bytes that are weights
OF_INDICES = Bytes(1.0, 0)  # what an embedding takes
OF_WIDE_INDICES = Bytes(1.0, 0, 65535, 2)  # what one of more vectors takes
OF_SHARES = Bytes(1 / 256, 0)  # what a softmax makes


def bytes_of(
    least: float, largest: float, finest: float = SMALLEST, most: int = STEPS, width: int = 1
) -> Bytes:
    """Return what the bytes of a value within a range stand for. Where all is 0, it is from 0 to 1.

    finest: the least scale. most, width: as of `Bytes`.
    """
    least, largest = min(least, 0.0), max(largest, 0.0)
    if least == largest:
        largest = 1.0
    scale = max(float(np.float32((largest - least) / most)), finest)
    return Bytes(scale, int(np.clip(np.rint(-least / scale), 0, most)), most, width)


def even_bytes(least: float, largest: float) -> Bytes:
    """Return what the bytes of a value within a range stand for, with `MIDDLE` for 0."""
    most = max(-least, largest) or 1.0
    return Bytes(max(float(np.float32(most / (STEPS - MIDDLE))), SMALLEST), MIDDLE)


def all_bytes(network: Network, found: dict[int, Range], fixed: dict[int, Bytes]) -> dict[int, Bytes]:
    """Return what the bytes of the inputs, the states and every operation's output stand for, by value.

    fixed: what is known of them already. Raises `Unsupported` for a scale there that a sum can't have.
    """
    known: dict[int, Bytes] = {}
    shared = alike(network)
    known.update((shared[value], each) for value, each in fixed.items() if value in shared)
    found = {**found, **_merged(shared, found)}
    least = finest_of(network, shared)
    for value in network.values():
        whole = shared.get(value, value)
        if whole in known:
            known[value] = known[whole]
            continue
        maker = network.maker(value)
        finest = _finest(maker, known)
        if value in fixed:
            known[value] = _checked(fixed[value], finest, maker)
        elif isinstance(maker, Softmax):
            known[value] = OF_SHARES
        elif value in shared:
            known[value] = bytes_of(*found[value], least.get(whole, 0))
        elif maker is not None and _keeps(maker, known):
            known[value] = known[maker.inputs[0]]
        elif isinstance(maker, Embedding):
            known[value] = even_bytes(float(maker.table.min()), float(maker.table.max()))
        elif is_read(network, value, is_index):
            known[value] = OF_WIDE_INDICES if value in network.wide else OF_INDICES
        elif is_read(network, value, is_weight):
            known[value] = even_bytes(*_range(network, value, found))
        else:
            known[value] = bytes_of(*_range(network, value, found), max(finest, SMALLEST))
        known[whole] = known[value]
    return known


def _finest(maker: Operation | None, known: dict[int, Bytes]) -> float:
    """Return the least scale that an operation's output can have."""
    if not isinstance(maker, Add | Sum):
        return 0.0
    scales = [known[read].scale for read in maker.inputs]
    if isinstance(maker, Sum) and maker.kept is not None:
        scales.append(bytes_of(maker.kept.min(), maker.kept.max()).scale)
    return max(abs(factor) * scale for factor, scale in zip(maker.factors, scales, strict=True)) / 256


def _checked(fixed: Bytes, finest: float, maker: Operation | None) -> Bytes:
    if maker is not None and fixed.scale < finest:
        what = "its scale is more than 256 times as fine as what it is made of"
        raise Unsupported(what, maker.name, expected=finest, found=fixed.scale)
    return fixed


def is_read(network: Network, value: int, so: Callable[[Operation, int], bool]) -> bool:
    """Tell whether an operation reads a value so, or what it is moved to."""
    for reader in network.readers(value):
        if so(reader, value):
            return True
        if isinstance(reader, MaxPool | Move | Dequantize) and is_read(network, reader.output, so):
            return True
    return False


def is_index(reader: Operation, value: int) -> bool:
    """Tell whether a value's numbers are those of entries of a table."""
    if isinstance(reader, InFloats):
        return isinstance(reader.step.layer, nn.Embedding)
    return isinstance(reader, Embedding)


def is_weight(reader: Operation, value: int) -> bool:
    """Tell whether a value is what another is multiplied with: its bytes become weights."""
    return isinstance(reader, Matmul) and reader.inputs[1] == value


def _keeps(maker: Operation, known: dict[int, Bytes]) -> bool:
    """Tell whether the bytes of what is made stand for the same as those of the input."""
    if not isinstance(maker, Move):
        return isinstance(maker, MaxPool)
    least, largest = known[maker.inputs[0]].numbers((0, 255))
    return len(set(maker.inputs)) == 1 and all(least <= number <= largest for number in maker.constants)


def _merged(shared: dict[int, int], found: dict[int, Range]) -> dict[int, Range]:
    """Return the range of each value that shares its bytes with others: as far as all reach."""
    merged: dict[int, Range] = {}
    for value, whole in shared.items():
        if value in found:
            least, largest = merged.get(whole, found[value])
            merged[whole] = min(least, found[value][0]), max(largest, found[value][1])
    return {value: merged[whole] for value, whole in shared.items()}


def _range(network: Network, value: int, found: dict[int, Range]) -> Range:
    """Return the range of a value.

    Of one that is only moved, or that a MaxPool alone reads, it is that of what is left of it, or of what it
    becomes a part of: then its bytes need not change. So it is of one that others read, too, where that costs
    little.
    """
    reader = network.only_reader(value)
    if isinstance(reader, MaxPool | Move):
        return _range(network, reader.output, found)
    maker = network.maker(value)
    own = found[value]
    if maker is not None:
        least, largest = np.clip(own, maker.low, maker.high)
        own = float(least), float(largest)
    for reader in network.readers(value):
        if isinstance(reader, Move) and len(set(reader.inputs)) > 1:
            joined = _range(network, reader.output, found)
            if joined[0] <= own[0] <= own[1] <= joined[1] and _alike(own, joined):
                return joined
    return own


def _alike(own: Range, joined: Range) -> bool:
    widths = [max(largest, 0.0) - min(least, 0.0) for least, largest in (own, joined)]
    return widths[1] <= _ALIKE * widths[0]
