"""A quantized model, run on this computer, with every step's output in sight."""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from burnpack.errors import Malformed, Unsupported
from burnpack.reader import Reader
from burnrt.int8 import Model
from burnrt.int8 import words as at
from burnrt.kernels.int8 import numpy as definition


class IntegerRun:
    """The steps in a file, computed by the kernels that define every result.

    Raises `Unsupported` where a step is more than boards can do.
    """

    def __init__(self, data: bytes) -> None:
        try:
            self._model = Model(Reader.from_static(data))
        except Malformed as error:  # well formed, as we wrote it
            raise Unsupported(error.what, error.item, expected=error.expected, found=error.found) from None
        self._arena = bytearray(self._model.arena)

    def outputs(self, given: NDArray[np.uint8], counts: list[int]) -> Iterator[NDArray[np.uint8]]:
        """Yield each step's output for an input of bytes. counts: how many bytes each has."""
        start = self._model.input_at
        self._arena[start : start + given.size] = given.tobytes()
        for (operation, weight, constants, words), count in zip(self._model.steps, counts, strict=True):
            getattr(definition, operation)(self._arena, weight, constants, words)
            yield np.frombuffer(self._arena, np.uint8, count, words[at.OUTPUT]).copy()
