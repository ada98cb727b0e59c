"""Planes of other sizes, made of weighted rows and columns, as `numpy` has them: the definition."""

import numpy as np

from burnrt import words as at

if False:  # for type checkers
    from collections.abc import Sequence
    from typing import Any

    import numpy.typing as npt

    from burnrt.types import Arena

    Array = npt.NDArray[Any]
    Row = Sequence[int]


def weighted(arena: "Arena", constants: "Row", words: "Row") -> "Array":
    """Return the sums of what each number is made of, (channels, out height, out width)."""
    shape = words[at.CHANNELS], words[at.HEIGHT], words[at.WIDTH]
    count = shape[0] * shape[1] * shape[2]
    sums = np.frombuffer(arena, np.uint8, count, words[at.INPUT]).reshape(shape).astype(np.int32)
    start = words[at.RESCALE] + 1
    for axis in (1, 2):
        lines, taps = words[at.OUT_HEIGHT + axis - 1], words[at.KERNEL + axis - 1]
        found = np.asarray(constants[start : start + lines * taps], np.int32).reshape(lines, taps)
        start += lines * taps
        places, shares = found >> at.TAP_BITS, found & (1 << at.TAP_BITS) - 1
        shares = shares.reshape((lines, taps, 1) if axis == 1 else (lines, taps))
        sums = (sums.take(places, axis) * shares).sum(axis + 1, dtype=np.int32)
    return sums
