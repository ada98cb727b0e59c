"""Flat buffers as arrays that share their memory."""

import numpy as np
from numpy.lib.stride_tricks import as_strided

if False:  # for type checkers
    from collections.abc import Sequence
    from typing import Any, TypeAlias

    import numpy.typing as npt

    Array: TypeAlias = npt.NDArray[Any]


def shaped(flat: "npt.ArrayLike", shape: "Sequence[int]") -> "Array":
    """Return the flat buffer as an array of this shape."""
    return np.asarray(flat).reshape(shape)


def strided(flat: "npt.ArrayLike", start: int, shape: "Sequence[int]", steps: "Sequence[int]") -> "Array":
    """Return a part of the flat buffer as an array: from `start` on, by steps in numbers."""
    flat = np.asarray(flat)
    return as_strided(flat[start:], shape, [step * flat.itemsize for step in steps])
