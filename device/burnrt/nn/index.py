"""A part of a value, as `x[:, -1]` asks for it."""

from burnpack.dtype import count
from burnpack.errors import Unsupported
from burnrt import kernels
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
    size = count(shape)
    if size == count(value.shape):  # nothing is left out, and nothing changes places
        return value.reshape(shape) if shape else value.data[start]
    if not shape:
        return value.data[start]
    if value.graph is None and spans == [(size, 1)]:
        return Value(memoryview(value.data)[start : start + size], shape)  # type: ignore[arg-type] # a buffer
    return layer(value)


class Index(Layer):
    """Take the part of a value that a key names; `x[key]` does the same.

    key: an int, a slice, `...`, or a tuple of these, as in PyTorch.
    """

    key: "tuple[Any, ...]"

    def __init__(self, key: "Any") -> None:
        self.key = key if isinstance(key, tuple) else (key,)

    def output_shape(self, shape: "Shape") -> "Shape":
        return self.found(shape)[0]

    def bind(self, input: "Value", output: "Value") -> "Calls":
        _, start, spans = self.found(input.shape)
        rows, size = spans[:-1] or [(1, 0)], spans[-1][0]
        extents, steps = [tuple(numbers) for numbers in zip(*rows)]
        out_steps = tuple([size * count(extents[at + 1 :]) for at in range(len(extents))])
        numbers = (input.data, start, steps, output.data, 0, out_steps, extents, size)
        return [(kernels.copy_strided, numbers)] if len(output.data) else []

    def found(self, shape: "Shape") -> "tuple[Shape, int, list[tuple[int, int]]]":
        """Return (shape of the part, where its first number is, spans).

        spans: how many numbers there are and from one to the next, from the outermost dimension to the
            innermost; the last lie side by side.
        """
        step = count(shape)
        start: int
        spans: "Spans"
        start, spans, kept = 0, [], []
        for extent, key in zip(shape, self._keys(shape)):
            step = step // extent if extent else 0
            taken = range(extent) if key is _ALL else _taken(extent, key)
            if isinstance(taken, int):
                start += taken * step
                continue
            kept.append(len(taken))
            if len(taken):
                start += taken[0] * step
            if len(taken) > 1:
                _join(spans, len(taken), (taken[1] - taken[0]) * step)
        if not spans or spans[-1][1] != 1:
            spans.append((1, 1))
        return tuple(kept), start, spans

    def _keys(self, shape: "Shape") -> "tuple[Any, ...]":
        """Return a key for each dimension of `shape`."""
        dots = [place for place, key in enumerate(self.key) if key is ...]
        named = len(self.key) - len(dots)
        if len(dots) > 1:
            raise Unsupported("x[...] with more than one ...", found=len(dots))
        if any([key is None for key in self.key]):
            raise Unsupported(
                "x[None] can't be done with a value; instead: x.unsqueeze(dim), or x.reshape(...)"
            )
        if named > len(shape):
            raise IndexError("%d indices for a value of %r" % (named, tuple(shape)))
        at = dots[0] if dots else named
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
    what = "x[index] takes ints, slices of ints, and ..., not what picks numbers one by one"
    raise Unsupported(what, found=type(key).__name__)


def _join(spans: "Spans", extent: int, step: int) -> None:
    """Add a span, which may go on where the last one's numbers end."""
    if spans and spans[-1][1] == extent * step:
        extent *= spans.pop()[0]
    spans.append((extent, step))
