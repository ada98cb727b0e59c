"""Norms and softmax."""

from burnrt.checks.floats.counts import EACH, flat

if False:  # for type checkers
    from typing import Any


def batch_norm(
    x: "Any",
    gamma: "Any",
    beta: "Any",
    mean: "Any",
    variance: "Any",
    epsilon: float,
    out: "Any",
    batch: int,
    channels: int,
    inner: int,
) -> "Any":
    count = flat(batch, channels, inner)
    is_each = gamma == beta == mean == variance == flat(channels)
    return is_each and epsilon >= 0 and x == out == count and (EACH * count[0], 64, 1)


def layer_norm(
    x: "Any", gamma: "Any", beta: "Any", epsilon: float, out: "Any", rows: int, size: int
) -> "Any":
    is_each = gamma in (None, flat(size)) and beta in (None, flat(size))
    return is_each and epsilon >= 0 and x == out == flat(rows, size) and (EACH * rows * size, 16, 1)


def rms_norm(x: "Any", gamma: "Any", epsilon: float, out: "Any", rows: int, size: int) -> "Any":
    is_each = gamma in (None, flat(size)) and epsilon >= 0
    return is_each and x == out == flat(rows, size) and (EACH * rows * size, 8, 1)


def softmax(x: "Any", out: "Any", outer: int, size: int, inner: int) -> "Any":
    count = flat(outer, size, inner)
    return x == out == count and (EACH * count[0], 2, 1)


quiet_softmax = log_softmax = softmax
