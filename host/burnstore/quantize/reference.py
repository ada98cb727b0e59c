"""The forward pass in floats, over many samples, with every value in sight."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from burnpack.errors import BurnpackError, InvalidTensor
from burnpack.module import Module
from burnrt.trace import Graph, trace
from burnrt.value import Value
from burnstore.graph.constants import numbers_of
from burnstore.graph.simple import Simple
from burnstore.models.running import check_one_input, told_of

Floats = NDArray[np.float32]
Values = dict[int, Floats]

_BATCH = 64  # samples at once
_ROOM = 1 << 24  # numbers in all values of a batch


class Reference:
    """A model whose values can be watched.

    graph: of a batch of one. shape: of a sample, without the batch.
    """

    def __init__(self, model: Module, shape: tuple[int, ...]) -> None:
        check_one_input(model)
        self._model = model
        self.shape = shape
        self.graph = self._traced(1)
        self._batch = self._most_at_once()

    def values(self, samples: NDArray[Any]) -> Iterator[tuple[slice, Values]]:
        """Yield which samples were taken and, by their numbers, all values: (samples, numbers of one) each.

        Raises `InvalidTensor` where a number is not finite.
        """
        for start in range(0, len(samples), self._batch):
            chosen = slice(start, min(start + self._batch, len(samples)))
            with np.errstate(over="ignore"):  # what is not finite is told below
                given = np.asarray(samples[chosen], np.float32)
            yield chosen, self._run(given, start)

    def _run(self, samples: Floats, start: int) -> Values:
        graph = self._traced(len(samples))
        values = {number: numbers_of(source) for number, source in graph.constants.items()}
        values[graph.input.number] = samples.reshape(-1)
        _check_finite(values[graph.input.number], len(samples), start, "the samples")
        for step in graph.steps:
            inputs = [Value(values[value.number], value.shape) for value in step.inputs]
            with np.errstate(all="ignore"):
                shapes = [value.shape for value in step.outputs]
                made = inputs[0].into(shapes, step.layer, *inputs[1:])
            for value, found in zip(step.outputs, made, strict=True):
                values[value.number] = np.asarray(found.data)
                _check_finite(values[value.number], len(samples), start, step.name)
        computed = [number for number in values if number not in graph.constants]
        return {number: values[number].reshape(len(samples), -1) for number in computed}

    def _most_at_once(self) -> int:
        """Return how many samples can share a batch: one where a value does not begin with the batch."""
        most = max(1, min(_BATCH, _ROOM // max(1, sum(self.graph.sizes))))
        try:
            graph = self._traced(most)
        except BurnpackError:
            return 1
        values = [value for step in graph.steps for value in (*step.inputs, *step.outputs)]
        shapes = [value.shape for value in values if value.number not in graph.constants]
        return most if all(shape[:1] == (most,) for shape in shapes) else 1

    def _traced(self, batch: int) -> Graph:
        with told_of(self._model):
            return trace(self._model, (batch, *self.shape), kind=Simple)


def _check_finite(numbers: Floats, samples: int, start: int, name: str) -> None:
    wrong = np.flatnonzero(~np.isfinite(numbers))
    if len(wrong):
        sample = start + wrong[0] * samples // len(numbers)
        raise InvalidTensor(f"not finite in sample {sample}", name, found=numbers[wrong[0]])
