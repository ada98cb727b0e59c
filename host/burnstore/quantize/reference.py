"""The forward pass in floats, over many samples, with every value in sight."""

from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from burnpack.errors import BurnpackError, InvalidTensor
from burnpack.module import Module
from burnrt.trace import Graph, Step, Traced, trace
from burnrt.value import Value
from burnstore.graph.constants import numbers_of
from burnstore.graph.following import useful
from burnstore.graph.in_floats import is_chosen
from burnstore.graph.operations import Numbers
from burnstore.graph.recurrence import Layered, unfold
from burnstore.graph.simple import Simple
from burnstore.models.running import check_count, told_of
from burnstore.quantize.samples import Samples, Shape, whole

Floats = NDArray[np.float32]
Values = dict[int, Floats]

_BATCH = 64  # samples at once
_ROOM = 1 << 24  # numbers in all values of a batch
_ROUNDING = 1e-4  # of the largest number: by how much sums may differ that are added up in another order


class Reference:
    """A model whose values can be watched.

    graph: of one run. shapes: of its inputs, the batch first. states: of inputs that a run leaves to the
    next, {place of the input: place of the output}. floats: patterns of the names of steps that are computed
    in floats, so whole.
    """

    def __init__(
        self,
        model: Module,
        shapes: Sequence[Shape],
        states: Mapping[int, int] | None = None,
        floats: Sequence[str] = (),
    ) -> None:
        check_count(model, len(shapes))
        self._model = model
        self.shapes = [tuple(shape) for shape in shapes]
        self.states = dict(states or {})
        self._floats = floats
        self._graphs: dict[int, Graph] = {}  # by how many samples they are of
        self.graph = self._traced(1)
        self._batch: int | None = None
        self._factors: Mapping[int, Floats] = {}

    def scaled(self, factors: Mapping[int, Numbers]) -> "Reference":
        """Return the same with the channels of some values multiplied by factors, by the values' numbers."""
        found = copy(self)
        found._factors = {
            number: np.repeat(each, self.graph.sizes[number] // len(each)).astype(np.float32)
            for number, each in factors.items()
        }
        return found

    def given(self, samples: Samples) -> Samples:
        """Return samples each as an input of its shape, (count, *shape), with those of states last.

        Samples of all inputs may leave out those of states. Raises `InvalidTensor` for others than the model
        takes.
        """
        left = [place for place in range(len(self.shapes)) if place not in self.states]
        if len(samples) == len(left) < len(self.shapes):
            return whole(samples, [self.shapes[place] for place in left])
        return whole(samples, self.shapes)

    def is_stream(self, samples: Samples) -> bool:
        """Tell whether samples are one stream: those of states are left out."""
        return len(samples) < len(self.shapes)

    def values(self, samples: Any) -> Iterator[tuple[slice, Values]]:
        """Yield which samples were taken and, by their numbers, all values: (samples, numbers of one) each.

        samples: an array, or a tuple of arrays, of each input one. Where states are left out, the samples are
        one stream: states are zeros before the first, and go from each to the next.
        Raises `InvalidTensor` where a number is not finite.
        """
        for chosen, values in self._values(samples):
            for number, factor in self._factors.items():
                values[number] = values[number] * factor
            yield chosen, values

    def _values(self, samples: Any) -> Iterator[tuple[slice, Values]]:
        arrays = self.given(samples if isinstance(samples, tuple) else (samples,))
        if self.is_stream(arrays):
            yield from self._streamed(arrays)
            return
        if self._batch is None:
            most = self._most_at_once()
            self._batch = most if self._are_apart(tuple(array[:most] for array in arrays)) else 1
        for start in range(0, len(arrays[0]), self._batch):
            chosen = slice(start, min(start + self._batch, len(arrays[0])))
            yield chosen, self._run([_floats(array[chosen]) for array in arrays], start)

    def _streamed(self, arrays: Samples) -> Iterator[tuple[slice, Values]]:
        """Yield the same of a stream, a sample at a time."""
        kept = {place: np.zeros((1, *self.shapes[place]), np.float32) for place in self.states}
        for number in range(len(arrays[0])):
            rest = iter(arrays)
            given = [
                kept[place] if place in kept else _floats(next(rest)[number : number + 1])
                for place in range(len(self.shapes))
            ]
            values = self._run(given, number)
            for place, made in self.states.items():
                kept[place] = values[self.graph.outputs[made].number].reshape(kept[place].shape)
            yield slice(number, number + 1), values

    def _run(self, samples: Sequence[Floats], start: int) -> Values:
        count = len(samples[0])
        graph = self._traced(count)
        values = {number: numbers_of(source) for number, source in graph.constants.items()}
        for value, given in zip(graph.inputs, samples, strict=True):
            values[value.number] = given.reshape(-1)
            _check_finite(values[value.number], count, start, "the samples")
        for step in graph.steps:
            if isinstance(step.layer, Layered):
                values.update(_recurrent(step, step.layer, values))
                _check_finite(values[step.output.number], count, start, step.name)
                continue
            inputs = [Value(values[value.number], value.shape) for value in step.inputs]
            with np.errstate(all="ignore"):
                shapes = [value.shape for value in step.outputs]
                made = inputs[0].into(shapes, step.layer, *inputs[1:])
            for value, found in zip(step.outputs, made, strict=True):
                values[value.number] = np.asarray(found.data)
                _check_finite(values[value.number], count, start, step.name)
        computed = [
            number for number, found in values.items() if len(found) and number not in graph.constants
        ]
        return {number: values[number].reshape(count, -1) for number in computed}

    def _most_at_once(self) -> int:
        """Return how many samples can share a batch: one where a value does not begin with the batch."""
        most = max(1, min(_BATCH, _ROOM // max(1, sum(self.graph.sizes))))
        try:
            graph = self._traced(most)
        except BurnpackError:
            return 1
        if len(graph.sizes) != len(self.graph.sizes):
            return 1
        values = [value for step in graph.steps for value in (*step.inputs, *step.outputs)]
        values += graph.inputs
        computed = [value for value in values if value.number not in graph.constants]
        return most if all(self._begins(value, most) for value in computed) else 1

    def _begins(self, value: Traced, batch: int) -> bool:
        """Tell whether a value begins with a batch, which the first extent may have with others."""
        first = value.shape[0] if value.shape else 0
        return first % batch == 0 and prod(value.shape) == batch * self.graph.sizes[value.number]

    def _are_apart(self, samples: Samples) -> bool:
        """Tell whether two samples in a batch give what each gives alone. They are as different as can be."""
        distances = sum(_distances(array) for array in samples)
        given = [*map(_floats, samples)]
        try:
            together = self._run(given, 0)
            for at in (0, int(np.argmax(distances))):
                alone = self._run([array[at : at + 1] for array in given], at)
                if alone.keys() != together.keys():  # a batch of one can be less work
                    return False
                if not all(_are_close(found[at], alone[number][0]) for number, found in together.items()):
                    return False
        except (BurnpackError, ValueError):  # as where a batch of one alone can be put into another shape
            return False
        return True

    def _traced(self, batch: int) -> Graph:
        """Return the graph of so many samples, which is followed once."""
        if batch not in self._graphs:
            self._graphs[batch] = self._followed(batch)
        return self._graphs[batch]

    def _followed(self, batch: int) -> Graph:
        shapes = [(batch, *shape[1:]) if shape[:1] == (1,) else shape for shape in self.shapes]
        with told_of(self._model):
            graph = trace(self._model, *shapes, kind=Simple)
            graph = unfold(graph, lambda step: is_chosen(step.name, self._floats))
        graph.steps, _ = useful(graph)
        return graph


def _recurrent(step: Step, layer: Layered, values: Values) -> Values:
    """Return what a recurrent layer makes, and has within it."""
    x, *states = (values[value.number] for value in step.inputs)
    made, inner = layer.computed(x, step.inputs[0].shape, states)
    found = {value.number: numbers for value, numbers in zip(step.outputs, made, strict=True)}
    return {**found, **dict(zip(layer.within, inner, strict=True))}


def _distances(array: NDArray[Any]) -> Floats:
    """Return how far each sample is from the first, as a share of the farthest."""
    numbers = np.nan_to_num(_floats(array).reshape(len(array), -1))
    shares = numbers / (np.abs(numbers).max() or np.float32(1))
    found: Floats = np.abs(shares - shares[0]).max(1)
    return found


def _are_close(found: Floats, wanted: Floats) -> bool:
    if found.shape != wanted.shape:
        return False
    return bool((np.abs(found - wanted) <= _ROUNDING * np.abs(wanted).max()).all())


def _floats(samples: NDArray[Any]) -> Floats:
    with np.errstate(over="ignore"):  # what is not finite is told when it runs
        return np.asarray(samples, np.float32)


def _check_finite(numbers: Floats, samples: int, start: int, name: str) -> None:
    wrong = np.flatnonzero(~np.isfinite(numbers))
    if len(wrong):
        sample = start + wrong[0] * samples // len(numbers)
        raise InvalidTensor(f"not finite in sample {sample}", name, found=numbers[wrong[0]])
