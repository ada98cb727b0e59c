"""A quantized model, run on this computer, with every step's output in sight."""

from collections.abc import Iterable, Iterator, Sequence

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
        self, given: Sequence[NDArray[np.uint8]], ends: Iterable[tuple[int, int, int]]
    ) -> Iterator[NDArray[np.uint8]]:
        """Yield each operation's output for inputs of bytes, then of states.

        Where states are left out, they are what the run before has left.
        ends: of each how many steps have run when it is done, where its output begins, and its bytes.
        """
        for end, found in zip([*self._model.inputs, *self._model.states], given, strict=False):
            end.data[:] = found.tobytes()
        done = 0
        for steps, start, count in ends:
            self._take(done, steps)
            done = steps
            yield np.frombuffer(self._model.memory.bytes, np.uint8, count, start).copy()
        self._take(done, len(self._model.calls))

    def _take(self, done: int, steps: int) -> None:
        for kernel, *arguments in self._model.calls[done:steps]:
            kernel(*arguments)

    def answers(self) -> list[NDArray[np.uint8]]:
        """Return the bytes of each output of the run that has ended."""
        return [np.frombuffer(bytes(end.data), np.uint8) for end in self._model.outputs]
