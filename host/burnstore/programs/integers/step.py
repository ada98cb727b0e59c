"""What is written of a step, and what is known of it before."""

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from burnpack.tensor import Tensor
from burnstore.quantize.calibrate import Bytes
from burnstore.quantize.fit import Fit
from burnstore.quantize.memory import Layout


class Step:
    """What is known of an operation whose step is made."""

    def __init__(
        self,
        operation: Any,
        name: str,
        known: dict[int, Bytes],
        layout: Layout,
        per: str,
        fit: Fit | None = None,
        common: list[Any] | None = None,
    ) -> None:
        """common: what is made once for all stripes of rows of what an operation makes."""
        self.operation = operation
        self.name = name
        self.given = known[operation.inputs[0]]
        self.all_given = [known[value] for value in operation.inputs]
        self.made = known[operation.output]
        self.known = known
        self.layout = layout
        self.memory = layout.memory
        self.per = per
        self.fit = fit
        self.common = [] if common is None else common

    def words(self, *more: int, cut: bool = True) -> list[int]:
        """Return INPUT, OUTPUT, LOW, HIGH, ZERO and what comes behind them."""
        offsets = self.memory.offsets
        places = [offsets[self.operation.inputs[0]], offsets[self.operation.output]]
        bounds = self.made.cut(self.operation.low, self.operation.high)
        return [*places, *((*bounds, self.made.zero_point) if cut else (0, 0, 0)), *more]

    def constants(self, bias: Any, rescale: list[int]) -> tuple[int, NDArray[np.int32]]:
        """Return RESCALE, and biases and rescaling words in a row."""
        return len(bias), np.array([*np.asarray(bias).tolist(), *rescale], np.int64).astype(np.int32)


class Made(NamedTuple):
    """What is written of a step.

    weight: a tensor, or bytes among the constants, or several tensors one after the other, of which the step
    reads `size` bytes from the first on.
    """

    kernel: str
    words: list[int]
    weight: Tensor | bytes | list[Tensor] | None = None
    constants: NDArray[np.int32] | None = None
    size: int = 0


Maker = Callable[[Step], Made | list[Made]]
