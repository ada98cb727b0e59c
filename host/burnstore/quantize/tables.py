"""Tables of functions of 16 bits, between whose entries lines lead: see `burnrt.wide_words`.

Entries are closest near one number, mostly 0, where logarithms, roots and quotients are steep, and further
apart with each power of 2 that lies between. Of several such tables the smallest is taken that is off by
`_ERROR` steps of the output nowhere, or else the one that is off least.
"""

from collections.abc import Callable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from burnpack.errors import InvalidTensor, Unsupported
from burnrt.wide_words import entries
from burnstore.graph.operations import Numbers
from burnstore.quantize.calibrate import OF_WIDE_INDICES, Bytes

STEPS = 65535

_ERROR = 4.0
_BITS = (4, 5, 6, 7, 8)  # parts between a power of 2 and the next, as a power of 2
_SKIPPED = (0, 8, 7)  # 8 or 7: of many numbers entries lie at even distances
_LOOKED_AT = 8192  # numbers, that tell how far a table is off

Bounds = tuple[float, float]
Shape = tuple[int, int, int, int, int]


@lru_cache(64)
def best_table(
    function: Callable[[Numbers], Numbers], given: Bytes, made: Bytes, bounds: Bounds, name: str
) -> tuple[Shape, bytes]:
    """Return MIDDLE, MOST, BITS, SKIPPED and TURN of a function's table, and the table.

    Raises `InvalidTensor` for a function without numbers, `Unsupported` for one of indices that no table
    follows.
    """
    with np.errstate(all="ignore"):
        answers = np.clip(function(given.numbers(np.arange(given.most + 1))), *bounds)
    known = np.flatnonzero(~np.isnan(answers))
    if not len(known):
        raise InvalidTensor("no number all over the range of what comes in", name)
    near = np.interp(np.arange(len(answers)), known, np.arange(len(known)))
    answers = answers[known[np.rint(near).astype(np.intp)]]
    wanted = np.clip(answers / made.scale + made.zero_point, 0, made.most)
    tried = sorted(_shapes(given), key=lambda shape: _size(shape))
    best, least = tried[0], np.inf
    step = 1 if given == OF_WIDE_INDICES else 1 + len(wanted) // _LOOKED_AT
    places = np.arange(0, len(wanted), step)
    for shape in tried:
        off = float(np.abs(answered(shape, _table(shape, wanted), places) - wanted[places]).max())
        if off < least:
            best, least = shape, off
        if off <= _ERROR:
            break
    if least > _ERROR and given == OF_WIDE_INDICES:
        raise Unsupported("a function of indices of 16 bits, which no table of lines follows", name)
    return best, _table(best, wanted).astype(np.uint16).tobytes()


def _shapes(given: Bytes) -> list[Shape]:
    middles = dict.fromkeys((given.zero_point, 0, given.most))
    return [
        (middle, given.most, bits, skipped, entries(given.most - middle, bits, skipped))
        for middle in middles
        for bits in _BITS
        for skipped in _SKIPPED
    ]


def _size(shape: Shape) -> int:
    middle, _, bits, skipped, turn = shape
    return turn + (entries(middle, bits, skipped) if middle else 0)


def _table(shape: Shape, wanted: Numbers) -> Numbers:
    """Return the entries: above the middle, then below it."""
    middle, _, bits, skipped, turn = shape
    above = _entries(wanted[middle:], _distances(turn, bits, skipped))
    below = _entries(wanted[middle::-1], _distances(_size(shape) - turn, bits, skipped))
    return np.concatenate([above, below])


def _entries(wanted: Numbers, distances: NDArray[np.int64]) -> Numbers:
    """Return what is wanted at distances; the last lies beyond all, on the line to what is wanted last."""
    last = len(wanted) - 1
    found = wanted[np.minimum(distances, last)]
    if len(found) > 1 and distances[-2] < last:
        slope = (wanted[last] - found[-2]) / (last - distances[-2])
        found[-1] = found[-2] + slope * (distances[-1] - distances[-2])
    rounded: Numbers = np.rint(found.clip(0, STEPS))
    return rounded


def _distances(count: int, bits: int, skipped: int) -> NDArray[np.int64]:
    """Return how far from the middle entries are."""
    places = np.arange(count)
    shifts = np.maximum(0, (places >> bits) - 1)
    found: NDArray[np.int64] = (places - (shifts << bits)) << shifts + skipped
    return found


def answered(shape: Shape, table: Numbers, given: NDArray[np.int64]) -> Numbers:
    """Return what a kernel makes of each number."""
    middle, _, bits, skipped, turn = shape
    distance = given - middle
    start, distance = np.where(distance < 0, turn, 0), np.abs(distance)
    shift = skipped + np.maximum(0, np.frexp(distance >> skipped)[1] - 1 - bits)
    place = start + (shift - skipped << bits) + (distance >> shift)
    part = (distance & (1 << shift) - 1) / (1 << shift)
    found: Numbers = np.rint(table[place] + (table[place + 1] - table[place]) * part)
    return found
