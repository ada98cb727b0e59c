"""Values that depend on no input: made of numbers, and resized on this computer alone."""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from burnpack.errors import LimitExceeded, Unsupported
from burnstore.aten.building import Builder, Constant
from burnstore.exported.graph import Node

Numbers = NDArray[np.float32]
_MOST = 1 << 24  # numbers of a value that is made of one


def _shape(builder: Builder, node: Node) -> tuple[int, ...]:
    shape = builder.graph.specs[node.outputs[0]].shape
    if np.prod(shape, dtype=object) > _MOST:
        what = "more numbers than a value of one number may have"
        raise LimitExceeded(what, node.name, expected=f"at most {_MOST:,}", found=list(shape))
    return shape


def _filled(key: str | float) -> Callable[[Builder, Node], None]:
    """Return what fills a value with a number, or with that argument of the node."""

    def fill(builder: Builder, node: Node) -> None:
        number: Any = node.arguments[key] if isinstance(key, str) else key
        builder.constant(node, np.full(_shape(builder, node), float(number), np.float32))

    return fill


def _arange(builder: Builder, node: Node) -> None:
    given: Any = node.arguments
    start, step = given.get("start", 0), given.get("step", 1)
    (count,) = _shape(builder, node)
    builder.constant(node, start + step * np.arange(count))


def _linspace(builder: Builder, node: Node) -> None:
    given: Any = node.arguments
    (count,) = _shape(builder, node)
    builder.constant(node, np.linspace(given["start"], given["end"], count))


def _eye(builder: Builder, node: Node) -> None:
    rows, columns = _shape(builder, node)
    builder.constant(node, np.eye(rows, columns))


def _triangle(cut: Callable[..., Any]) -> Callable[[Builder, Node], None]:
    def make(builder: Builder, node: Node) -> None:
        numbers = _known(builder, node, "self")
        diagonal: Any = node.arguments.get("diagonal", 0)
        builder.constant(node, cut(numbers, diagonal))

    return make


def _known(builder: Builder, node: Node, name: str) -> Numbers:
    """Return the numbers of an argument that depends on no input. Raises `Unsupported` for another."""
    found = builder.value(node.arguments[name])
    if not isinstance(found, Constant):
        what = "is computed on the computer alone, and here its input is not known before the model runs"
        raise Unsupported(what, node.name, found=node.operation)
    return found.numbers()


def _bicubic(builder: Builder, node: Node) -> None:
    numbers: NDArray[Any] = _known(builder, node, "input")
    given, sizes = node.arguments, builder.graph.specs[node.outputs[0]].shape[2:]
    antialias = "_aa." in node.operation
    for axis, size in zip((2, 3), sizes, strict=True):
        matrix = _resizing(numbers.shape[axis], size, bool(given.get("align_corners")), antialias)
        numbers = np.moveaxis(np.moveaxis(numbers, axis, -1) @ matrix.T, -1, axis)
    builder.constant(node, numbers)


def _resizing(extent: int, size: int, aligned: bool, antialias: bool) -> NDArray[np.float64]:
    """Return the matrix (size, extent) of a bicubic interpolation, as PyTorch's.

    Keys' kernel with a = -0.75, and edges repeated; with antialias, which goes by Pillow, a = -0.5, the
    kernel as wide as a step, and the weights of what is inside made to add up to 1.
    """
    if antialias:
        return _antialiased(extent, size)
    scale = (extent - 1) / max(1, size - 1) if aligned else extent / size
    places = np.arange(size) * scale if aligned else (np.arange(size) + 0.5) * scale - 0.5
    found, first = np.zeros((size, extent)), np.floor(places).astype(int)
    for offset in range(-1, 3):
        columns = np.clip(first + offset, 0, extent - 1)
        np.add.at(found, (np.arange(size), columns), _keys(places - (first + offset), -0.75))
    return found


def _antialiased(extent: int, size: int) -> NDArray[np.float64]:
    scale = extent / size
    width = max(1.0, scale)
    centers = (np.arange(size) + 0.5) * scale
    distances = (np.arange(extent)[None, :] + 0.5 - centers[:, None]) / width
    weights = _keys(distances, -0.5)
    found: NDArray[np.float64] = weights / weights.sum(1, keepdims=True)
    return found


def _keys(distance: NDArray[np.float64], a: float) -> NDArray[np.float64]:
    """Return the cubic convolution kernel of Keys (1981)."""
    x = np.abs(distance)
    near = (a + 2) * x**3 - (a + 3) * x**2 + 1
    far = a * x**3 - 5 * a * x**2 + 8 * a * x - 4 * a
    return np.where(x <= 1, near, np.where(x < 2, far, 0.0))


HANDLERS: dict[str, Callable[[Builder, Node], None]] = {
    "aten.arange.default": _arange,
    "aten.arange.start": _arange,
    "aten.arange.start_step": _arange,
    "aten.eye.default": _eye,
    "aten.eye.m": _eye,
    "aten.fill.Scalar": _filled("value"),
    "aten.full.default": _filled("fill_value"),
    "aten.full_like.default": _filled("fill_value"),
    "aten.linspace.default": _linspace,
    "aten.new_full.default": _filled("fill_value"),
    "aten.new_ones.default": _filled(1.0),
    "aten.new_zeros.default": _filled(0.0),
    "aten.ones.default": _filled(1.0),
    "aten.ones_like.default": _filled(1.0),
    "aten.scalar_tensor.default": _filled("s"),
    "aten.tril.default": _triangle(np.tril),
    "aten.triu.default": _triangle(np.triu),
    "aten.upsample_bicubic2d.vec": _bicubic,
    "aten._upsample_bicubic2d_aa.vec": _bicubic,
    "aten.zero.default": _filled(0.0),
    "aten.zeros.default": _filled(0.0),
    "aten.zeros_like.default": _filled(0.0),
}
