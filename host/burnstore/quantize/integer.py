"""A quantized model, run on this computer, with every step's output in sight."""

from collections.abc import Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from burnpack.errors import Malformed, Unsupported
from burnrt import Model
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

    def outputs(
        self, given: NDArray[np.uint8], ends: Iterable[tuple[int, int, int]]
    ) -> Iterator[NDArray[np.uint8]]:
        """Yield each operation's output for an input of bytes. ends: of the program."""
        self._model.input[:] = given.tobytes()
        done = 0
        for steps, start, count in ends:
            for kernel, *arguments in self._model.calls[done:steps]:
                kernel(*arguments)
            done = steps
            yield np.frombuffer(self._model.memory.bytes, np.uint8, count, start).copy()
