"""Sums and products of numbers that are broadcast, as `numpy` has them: the definition."""

import numpy as np
from numpy.lib.stride_tricks import as_strided

from burnrt import words as at

if False:  # for type checkers
    from collections.abc import Sequence
    from typing import Any

    import numpy.typing as npt

    from burnpack.types import Buffer
    from burnrt.types import Arena

    Array = npt.NDArray[Any]
    Row = Sequence[int]


def add_strided(arena: "Arena", weight: "Buffer", constants: "Row", words: "Row") -> None:
    x, y = _operands(arena, weight, words)
    _finish(arena, words, x * words[at.FIRST_FACTOR] + y * words[at.SECOND_FACTOR])


def multiply_strided(arena: "Arena", weight: "Buffer", constants: "Row", words: "Row") -> None:
    x, y = _operands(arena, weight, words)
    _finish(arena, words, (x - words[at.FIRST_ZERO]) * (y - words[at.SECOND_ZERO]) * words[at.FACTOR])


def _operands(arena: "Arena", weight: "Buffer", words: "Row") -> "tuple[Array, Array]":
    """Return the numbers that come in, each (planes, lines, count)."""
    first = (*words[at.FIRST_STEPS : at.SECOND_STEPS], 1)
    second = words[at.SECOND_STEPS : at.KEPT]
    source, start = (weight, 0) if words[at.KEPT] else (arena, words[at.OTHER])
    return _broadcast(arena, words[at.INPUT], words, first), _broadcast(source, start, words, second)


def _broadcast(source: "Buffer", start: int, words: "Row", steps: "Row") -> "Array":
    shape = _shape(words)
    size = sum(step * (extent - 1) for step, extent in zip(steps, shape, strict=True)) + 1
    numbers = np.frombuffer(source, np.uint8, size, start)
    return as_strided(numbers, shape, tuple(steps), writeable=False).astype(np.int32)


def _shape(words: "Row") -> tuple[int, int, int]:
    return words[at.PLANES], words[at.LINES], words[at.COUNT]


def _finish(arena: "Arena", words: "Row", total: "Array") -> None:
    cut = np.clip(total + words[at.BIAS] >> words[at.SHIFT], words[at.LOW], words[at.HIGH])
    np.frombuffer(arena, np.uint8, cut.size, words[at.OUTPUT])[:] = cut.reshape(-1)
