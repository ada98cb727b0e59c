"""Padding: which numbers of a value go where, and what is put around them."""

from burnpack.errors import InvalidTensor, Unsupported
from burnrt.nn.geometry import per_dimension

if False:  # for type checkers
    from burnpack.types import Shape
    from burnrt.types import AnySizes, Copied

_MODES = ("constant", "reflect", "replicate", "circular")


def padded(name: str, shape: "Shape", padding: "AnySizes", mode: str) -> "tuple[Shape, Copied]":
    """Return the shape of a padded value, and what is copied into it: (start, to, dims), see `copying`.

    name: what pads. padding: how many numbers in front and how many behind, of the last dimension, then of
        the one before...; what is below 0 is cut off. mode: "constant", where what lies around is left as it
        is, "reflect", "replicate" or "circular".
    Raises `InvalidTensor` where more is cut off than there is, or too much is reflected.
    """
    pairs = len(padding) // 2 if isinstance(padding, (tuple, list)) else len(shape)
    padding = per_dimension(name, padding, 2 * pairs)
    if mode not in _MODES:
        raise Unsupported("mode: is %s or %s" % (", ".join(_MODES[:-1]), _MODES[-1]), name, found=repr(mode))
    if pairs > len(shape):
        raise InvalidTensor("wrong input shape", name, expected="%d dimensions" % pairs, found=list(shape))
    found: "list[int]" = []
    copied: "Copied" = [(0, 0, [])]
    step = out_step = 1
    for number, extent in enumerate(reversed(shape)):
        front, behind = padding[2 * number : 2 * number + 2] or (0, 0)
        if extent + front + behind < 1 or extent + min(front, 0) + min(behind, 0) < 0:
            raise InvalidTensor("wrong input shape", name, expected="more than is cut off", found=list(shape))
        runs = _runs(name, extent, front, behind, mode)
        copied = [
            (start + first * step, to + place * out_step, dims + [(count, by * step, out_step)])
            for first, by, place, count in runs
            for start, to, dims in copied
        ]
        found.insert(0, extent + front + behind)
        step, out_step = step * extent, out_step * found[0]
    return tuple(found), copied


def _runs(name: str, extent: int, front: int, behind: int, mode: str) -> list[tuple[int, int, int, int]]:
    """Return of a dimension what is copied: (first place, step from there on, place in the output, count)."""
    first, end = max(0, -front), extent + min(behind, 0)  # of what is not cut off
    count, to = end - first, front + extent
    runs = [(first, 1, max(0, front), count)] if count else []
    if mode == "constant":
        return runs
    most = {"reflect": extent - 1, "circular": count}.get(mode, extent and max(front, behind))
    if max(front, behind, 1 - extent) > most:
        what = "more padding than there is to %s" % mode
        raise InvalidTensor(what, name, expected="%d at most" % most, found=max(front, behind))
    if front > 0:
        place, by = {"reflect": (front, -1), "replicate": (0, 0), "circular": (end - front, 1)}[mode]
        runs.append((place, by, 0, front))
    if behind > 0:
        place, by = {"reflect": (extent - 2, -1), "replicate": (extent - 1, 0), "circular": (first, 1)}[mode]
        runs.append((place, by, to, behind))
    return runs
