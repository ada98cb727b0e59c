"""A quantized model, run on this computer, with every step's output in sight."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from burnpack.errors import Malformed, Unsupported
from burnrt import Model
from burnrt import words as at
from burnrt.kernels import int8


class IntegerRun:
    """The steps in a file, computed by the kernels that define every result.

    Raises `Unsupported` where a step is more than boards can do.
    """

    def __init__(self, data: bytes) -> None:
        assert int8.in_use()[0] == "numpy"
        try:
            self._model = Model(data)
        except Malformed as error:  # well formed, as we wrote it
            raise Unsupported(error.what, error.item, expected=error.expected, found=error.found) from None

    def outputs(self, given: NDArray[np.uint8], counts: list[int]) -> Iterator[NDArray[np.uint8]]:
        """Yield each step's output for an input of bytes. counts: how many bytes each has."""
        self._model.input[:] = given.tobytes()
        for (kernel, arena, weight, constants, words), count in zip(self._model.calls, counts, strict=True):
            kernel(arena, weight, constants, words)
            yield np.frombuffer(arena, np.uint8, count, words[at.OUTPUT]).copy()
