"""Planes of other sizes, made of rows and columns of what comes in."""

from typing import Any

from burnpack.dtype import count
from burnrt.trace import Step
from burnstore.graph.following import Maker
from burnstore.graph.moves import move_of
from burnstore.graph.operations import Kept, Operation, Resample

_COPIES_MOST = 4  # with more, one step that weights takes fewer words and less time


def _upsample(step: Step, layer: Any, common: Any) -> Operation:
    move = move_of(Kept(**common, step=step))
    if move is not None and len(move.parts) <= _COPIES_MOST:
        return move
    shape, out_shape = step.inputs[0].shape, step.output.shape
    rows, columns = [_taps(lines) for lines in layer.planar_lines(shape, out_shape)]
    size = count(shape[2:-1]), shape[-1]
    return Resample(**common, channels=count(shape[:2]), size=size, lines=(rows, columns))


def _taps(lines: Any) -> list[list[tuple[int, float]]]:
    """Return what each line is made of: one other with weight 1, or two where any is between two."""
    if not any(share for _, _, share in lines):
        return [[(first, 1.0)] for first, _, _ in lines]
    return [[(first, 1.0 - share), (second, share)] for first, second, share in lines]


RESAMPLING: dict[str, Maker] = {"Upsample": _upsample}
