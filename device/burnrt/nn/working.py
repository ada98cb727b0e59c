"""Memory that a layer works in, besides its output."""

from burnrt import value

if False:  # for type checkers
    from typing import Any

    from burnpack.types import Shape
    from burnrt.value import Value


def working(layer: "Any", *shapes: "Shape") -> "list[Value]":
    """Return a `Value` of each shape, which `layer` keeps as long as it needs no others.

    What they hold is not said: it may be from the last time.
    """
    if getattr(layer, "_shapes", None) != shapes:
        layer._shapes = layer._working = None  # the old ones make room for the new ones
        layer._working = [value.allocate(shape) for shape in shapes]
        layer._shapes = shapes
    return layer._working  # type: ignore[no-any-return]
