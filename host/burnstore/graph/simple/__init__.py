"""A pass followed as simple functions: large layers are made of those, so that each value has a range."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from burnrt import kernels
from burnrt.nn.layer import Layer
from burnrt.trace import Graph, Traced
from burnrt.value import Value
from burnstore.graph.following import kind_of
from burnstore.graph.simple.along import ALONG
from burnstore.graph.simple.arithmetic import ARITHMETIC
from burnstore.graph.simple.attending import ATTENDING
from burnstore.graph.simple.masking import MASKING, known

Shapes = Sequence[tuple[int, ...]]
# What a layer makes of its inputs by simpler ones, a value for each shape; None where it is simple already.
Simpler = Callable[[Any, tuple[Value, ...], Shapes], tuple[Value, ...] | None]

_SIMPLER: Mapping[str, Simpler] = {**ARITHMETIC, **ATTENDING, **ALONG, **MASKING}
_OF_CONSTANTS = ("Amax", "Compare", "Expand", "Where")  # what masks are made by: of constants it is one, too


class Simple(Graph):
    """A pass without the layers that simpler ones replace.

    What replaces a layer goes by that one's name, a dot, and what it would be called by itself.

    inner: of each step that is a part of a layer, by its output's number, what it is called within that.
    """

    inner: dict[int, str]

    def __init__(self, paths: dict[int, str], shape: Sequence[int]) -> None:
        super().__init__(paths, shape)
        self._within: list[str] = []
        self.inner = {}

    def record(self, layer: Layer, inputs: tuple[Value, ...], shapes: Shapes) -> tuple[Traced, ...]:
        kind = kind_of(layer)
        given = [known(value) for value in inputs] if kind in _OF_CONSTANTS else [None]
        if all(numbers is not None for numbers in given):
            return self._computed(layer, given, shapes)
        simpler = _SIMPLER.get(kind)
        if simpler is None or not all(self._has(value) for value in inputs):
            return self._recorded(layer, inputs, shapes)
        self._within.append(self._path(getattr(layer, "attention", layer)))
        made = simpler(layer, inputs, shapes)
        self._within.pop()
        if made is None:
            return self._recorded(layer, inputs, shapes)
        found = [value.reshape(shape) for value, shape in zip(made, shapes, strict=True)]
        return tuple(found)  # type: ignore[arg-type] # made of what is followed

    def _computed(self, layer: Layer, given: Sequence[Any], shapes: Shapes) -> tuple[Traced, ...]:
        """Return what a layer makes of the numbers of constants, as constants."""
        first, *others = (Value(kernels.floats(numbers.reshape(-1)), numbers.shape) for numbers in given)
        return tuple(self.constant(made, made.shape) for made in first.into(shapes, layer, *others))

    def _recorded(self, layer: Layer, inputs: tuple[Value, ...], shapes: Shapes) -> tuple[Traced, ...]:
        outputs = super().record(layer, inputs, shapes)
        if self._within:
            self.inner[outputs[0].number] = self.steps[-1].name.removeprefix(self._within[-1] + ".")
        return outputs

    def _path(self, layer: Layer) -> str:
        found = self._paths.get(id(layer))
        if found is None:
            found = ".".join([*self._within[-1:], type(layer).__name__])
        return found
