"""Scales of weights of few bits: with 15 steps for all of them, to cut the largest often costs less."""

import numpy as np

from burnstore.graph.operations import Numbers

_SHARES = np.linspace(0.3, 1.1, 81)  # of the scale at which nothing is cut


def least_square_scales(rows: Numbers, whole: Numbers, steps: int, per: str) -> Numbers:
    """Return a scale for each row, or the same for all, with which the squares of all errors are least.

    rows: (outputs, inputs). whole: the scale of each row at which nothing is cut. steps: of a weight, to each
    side. per: "channel" or "tensor".
    """
    if per == "tensor":
        whole = np.full_like(whole, whole.max(initial=0))
    best, least = whole, np.full(len(rows), np.inf)
    for share in _SHARES:
        scales = np.maximum(share * whole, np.finfo(np.float64).tiny)[:, None]
        errors = np.square(rows - scales * np.clip(np.rint(rows / scales), -steps, steps)).sum(1)
        if per == "tensor":
            errors[:] = errors.sum()
        best, least = np.where(errors < least, share * whole, best), np.minimum(errors, least)
    return best
