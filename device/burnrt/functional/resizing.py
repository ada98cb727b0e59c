"""Lines and planes made larger or smaller."""

from burnpack.errors import Unsupported
from burnrt.functional.operands import operands
from burnrt.nn.upsample import Upsample

if False:  # for type checkers
    from typing import Any

    from burnrt.value import Value


def interpolate(
    input: "Any",
    size: "Any" = None,
    scale_factor: "Any" = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
    recompute_scale_factor: bool | None = None,
    antialias: bool = False,
) -> "Value":
    """Return lines [batch, channels, length] or planes [batch, channels, height, width] of other extents.

    See `burnrt.nn.Upsample`.
    """
    if antialias:
        raise Unsupported("antialias: not computed here", "interpolate", found=antialias)
    layer = Upsample(size, scale_factor, mode, align_corners, recompute_scale_factor)
    return layer(operands(input)[0])  # type: ignore[no-any-return] # a call gives what `forward` does


def upsample(
    input: "Any",
    size: "Any" = None,
    scale_factor: "Any" = None,
    mode: str = "nearest",
    align_corners: bool | None = None,
) -> "Value":
    """Return what `interpolate` does."""
    return interpolate(input, size, scale_factor, mode, align_corners)
