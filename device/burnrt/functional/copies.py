"""The layer that only copies numbers, from some values to places of another."""

from burnrt import kernels
from burnrt.nn.copying import copying, filled
from burnrt.nn.index import sharing
from burnrt.nn.layer import Layer

if False:  # for type checkers
    from collections.abc import Sequence

    from burnpack.types import Shape
    from burnrt.types import Calls, Dimensions, Spans
    from burnrt.value import Value


class Copies(Layer):
    """Copy numbers of some values to places of another.

    shape: of the output. parts: of each copy which input it is from, where the first number is in that,
        where it goes in the output, and its dimensions, as `copying` takes them.
    value: what is where the parts leave the output as it is, or None where they fill it.
    """

    shape: "Shape"
    parts: "Sequence[tuple[int, int, int, Dimensions]]"
    value: float | None

    def __init__(
        self,
        shape: "Shape",
        parts: "Sequence[tuple[int, int, int, Dimensions]]",
        value: float | None = None,
    ) -> None:
        self.shape = tuple(shape)
        self.parts = parts
        self.value = value

    def output_shape(self, *shapes: "Shape") -> "Shape":
        return self.shape

    def bind(self, *values: "Value") -> "Calls":
        out = values[-1].data
        calls: "Calls" = []
        if self.value is not None and len(out):
            calls.append((kernels.fill, (out, 0, len(out), self.value)))
        for number, start, to, dims in self.parts:
            if min([extent for extent, _, _ in dims] + [1]):
                calls.append(copying(values[number].data, start, out, to, dims))
        return calls


def moved(
    kind: "type[Copies]", value: "Value", shape: "Sequence[int]", spans: "Spans", start: int = 0
) -> "Value":
    """Return a value of `shape` with the numbers of another that `spans` go through.

    kind: the class of the layer, which names the step. spans, start: as `sharing` takes them.
    """
    layer = kind(tuple(shape), [(0, start, 0, filled(spans))])
    return sharing(value, layer.shape, start, spans, layer)
