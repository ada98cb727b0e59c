"""Numbers around a value."""

from burnpack.errors import InvalidTensor, Unsupported
from burnrt.functional.copies import Copies
from burnrt.functional.operands import operands
from burnrt.nn.edges import padded

if False:  # for type checkers
    from collections.abc import Sequence
    from typing import Any

    from burnrt.value import Value


class Pad(Copies):
    """Numbers around a value."""


def pad(input: "Any", pad: "Sequence[int]", mode: str = "constant", value: float | None = None) -> "Value":
    """Return the value with numbers around it.

    pad: how many in front of and behind each dimension, the last dimension first: (left, right, top, bottom).
        What is below 0 is cut off.
    mode: "constant", "reflect", "replicate" or "circular". value: the constant, 0 where it is None.
    """
    given = operands(input)[0]
    if not isinstance(pad, (tuple, list)):
        raise InvalidTensor("pad: is a list of two numbers a dimension", "pad", found=repr(pad))
    if value is not None and mode != "constant":
        raise Unsupported("value: only constant padding has one", "pad", found=mode)
    shape, copied = padded("pad", given.shape, pad, mode)
    if not any(pad):
        return given
    around = (value or 0.0) if mode == "constant" and max(pad) > 0 else None
    layer = Pad(shape, [(0, start, to, dims) for start, to, dims in copied], around)
    return given.through(layer)
