"""Planes of other sizes."""

from burnrt.checks.floats.counts import EACH, flat

if False:  # for type checkers
    from typing import Any


def resample2d(x: "Any", x_shape: "Any", out: "Any", out_shape: "Any", rows: "Any", columns: "Any") -> "Any":
    for axis, lines in ((2, rows), (3, columns)):
        if len(lines) != out_shape[axis]:
            raise ValueError
        for first, second, share in lines:
            flat(first, second)
            if max(first, second) >= x_shape[axis] or not 0 <= share <= 1:
                raise ValueError
    fits = x == flat(*x_shape) and out == flat(*out_shape) and x_shape[:2] == out_shape[:2]
    return fits and len(x_shape) == len(out_shape) == 4 and (EACH * out[0], 4, 0)
