"""A part of a value, as `x[:, -1]` asks for it."""

from burnpack.dtype import count
from burnpack.errors import Unsupported
from burnrt import kernels
from burnrt.nn.copying import copying, filled, joined, row_major
from burnrt.nn.layer import Layer
from burnrt.value import Value

if False:  # for type checkers
    from typing import Any

    from burnpack.types import Shape
    from burnrt.types import Calls, Spans


_ALL = "all of a dimension"  # MicroPython can't make a slice


def part(value: "Value", key: "Any") -> "Any":
    """Return what `value[key]` means: a number, numbers shared under another shape, or a copy of some."""
    layer = Index(key)
    shape, start, spans = layer.found(value.shape)
    return sharing(value, shape, start, spans, layer) if shape else value.data[start]


def sharing(value: "Value", shape: "Shape", start: int, spans: "Spans", layer: "Layer") -> "Value":
    """Return a value of `shape` with the numbers of another that `spans` go through: shared where they lie
    in one piece, and otherwise what `layer`, which copies them, makes.

    start: where the first of them is.
    """
    size = count(shape)
    if size <= 1 or joined(filled(spans)) == [(size, 1, 1)]:
        if size == count(value.shape):
            return value.reshape(shape)
        if value.graph is None and isinstance(value.data, (memoryview, type(kernels.buffer(0)))):
            return Value(memoryview(value.data)[start : start + size], shape)  # type: ignore[arg-type] # a buffer
    return value.through(layer)


class Index(Layer):
    """Take the part of a value that a key names; `x[key]` does the same.

    key: an int, a slice, `...`, None, or a tuple of these, as in PyTorch.
    """

    key: "tuple[Any, ...]"

    def __init__(self, key: "Any") -> None:
        self.key = key if isinstance(key, tuple) else (key,)

    def output_shape(self, shape: "Shape") -> "Shape":
        return self.found(shape)[0]

    def bind(self, input: "Value", output: "Value") -> "Calls":
        _, start, spans = self.found(input.shape)
        data = output.data
        return [copying(input.data, start, data, 0, filled(spans))] if len(data) else []

    def found(self, shape: "Shape") -> "tuple[Shape, int, Spans]":
        """Return (shape of the part, where its first number is, spans as `copying` takes them)."""
        start = 0
        kept: "list[int]" = []
        spans: "Spans" = []
        dims = iter(row_major(shape))
        for key in self._keys(shape):
            if key is None:
                kept.append(1)
                continue
            extent, step = next(dims)
            taken = range(extent) if key is _ALL else _taken(extent, key)
            if isinstance(taken, int):
                start += taken * step
                continue
            kept.append(len(taken))
            if len(taken):
                start += taken[0] * step
            if len(taken) > 1:
                spans.append((len(taken), (taken[1] - taken[0]) * step))
        return tuple(kept), start, spans

    def _keys(self, shape: "Shape") -> "tuple[Any, ...]":
        """Return a key for each dimension of `shape`, and None for each that is added."""
        dots = [place for place, key in enumerate(self.key) if key is ...]
        named = len([key for key in self.key if key is not ... and key is not None])
        if len(dots) > 1:
            raise Unsupported("x[...] with more than one ...", found=len(dots))
        if named > len(shape):
            raise IndexError("%d indices for a value of %r" % (named, tuple(shape)))
        at = dots[0] if dots else len(self.key)
        return self.key[:at] + (_ALL,) * (len(shape) - named) + self.key[at + len(dots) :]


def _taken(extent: int, key: "Any") -> int | range:
    """Return which places of a dimension a key takes: one, or a range."""
    if not isinstance(key, (Value, bool)):
        step = getattr(key, "step", None)
        if isinstance(step, int) and step < 1:
            raise Unsupported("x[a:b:step] takes steps from 1 on, as in PyTorch", found=step)
        try:
            return range(extent)[key]  # type: ignore[no-any-return]
        except TypeError:
            pass
        except IndexError:
            raise IndexError("%d is beyond a dimension of %d" % (key, extent))
    what = "x[index] takes ints, slices of ints, ... and None; burnrt.functional.index_select takes lists"
    raise Unsupported(what, found=type(key).__name__)
