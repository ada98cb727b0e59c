"""Rows of bytes normalised by their own mean and variance, as `numpy` has them: the definition."""

import numpy as np

from burnrt import words as at

if False:  # for type checkers
    from collections.abc import Sequence
    from typing import Any

    import numpy.typing as npt

    from burnpack.types import Buffer
    from burnrt.types import Arena

    Array = npt.NDArray[Any]
    Row = Sequence[int]

# 2^14 × √(2^15 / m), for m of 2^13 to 2^15: a line, then Newton's method (y ← y × (3 - m y²) / 2).
_LINE, _SLOPE = 34898, 39


def normalize(arena: "Arena", weight: "Buffer", constants: "Row", words: "Row") -> None:
    rows, pairs, inner = words[at.ROWS], words[at.SIZE], words[at.INNER]
    x = np.frombuffer(arena, np.uint8, rows * pairs * inner, words[at.INPUT]).reshape(rows, -1)
    mean, squares = _statistics(x.astype(np.int64), words)
    root, doubled = _reciprocal_root(squares)
    shift = 14 - words[at.VARIANCE_BITS] // 2 - doubled
    numbers = (((x.astype(np.int64) << 7) - mean) * root + (1 << shift - 1) >> shift).reshape(rows, pairs, -1)
    found = np.asarray(constants, np.int64)[_places(words)]
    out = numbers * found[:, :, :1] + found[:, :, 1:] >> words[at.SHIFT]
    cut = np.clip(out, words[at.LOW], words[at.HIGH])
    np.frombuffer(arena, np.uint8, cut.size, words[at.OUTPUT])[:] = cut.reshape(-1)


def _statistics(x: "Array", words: "Row") -> "tuple[Array, Array]":
    """Return of each row the mean × 2^7, and the squares of distances from it × 2^VARIANCE_BITS and EPSILON.

    Distances are taken from the byte next to the mean; what that is off by is corrected.
    """
    count, bits, more = x.shape[1], words[at.MEAN_BITS], words[at.VARIANCE_BITS]
    total, squares = x.sum(1, keepdims=True), (x * x).sum(1, keepdims=True)
    middle: "Array" = np.full_like(total, words[at.CENTER])
    mean, correction = middle << bits, np.zeros_like(total)
    if words[at.CENTER] == at.OWN_MEAN:
        mean = ((total << bits) + count // 2) // count
        middle = mean + (1 << bits - 1) >> bits
        correction = (total - count * middle) * (mean - (middle << bits)) >> bits - more
    squares = squares - middle * (2 * total - count * middle)
    return mean >> bits - 7, (squares << more) - correction + words[at.EPSILON]


def _reciprocal_root(squares: "Array") -> "tuple[Array, Array]":
    """Return 2^14 × √(2^15 / m) where m = squares × 4^n is of 2^13 to 2^15, and n."""
    m, doubled = squares.copy(), np.zeros_like(squares)
    for _ in range(8):
        small, large = m < 1 << 13, m >= 1 << 15
        m = np.where(small, m << 2, np.where(large, m >> 2, m))
        doubled += small
        doubled -= large
    y = _LINE - (m * _SLOPE >> 6)
    for _ in range(3):
        y = y * (49152 - ((y * y >> 14) * m >> 15) >> 1) >> 14
    return y, doubled


def _places(words: "Row") -> "Array":
    """Return where in the constants gain and offset of each number are, (rows, pairs, 2)."""
    pairs = np.arange(words[at.SIZE]) + words[at.NEXT] * np.arange(words[at.ROWS])[:, None]
    found: "Array" = 2 * pairs[:, :, None] + np.arange(2)
    return found
