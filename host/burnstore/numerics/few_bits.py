"""Weights of few bits, fitted so that the answers are off as little as can be, not each weight for itself.

scales     with 15 steps for all weights, to cut the largest often costs less than coarse steps
rounding   one weight after the other: what is lost by rounding it, the weights that are not rounded yet make
           good as far as the inputs go together in the samples, as in GPTQ (Frantar et al., 2023)
"""

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

_SHARES = np.linspace(0.3, 1.1, 81)  # of the scale at which nothing is cut
_DAMPING = 0.01  # of the mean square of an input, added to that of each: samples do not tell all


class Moments:
    """The sums of the products of any two inputs of a layer, over samples."""

    def __init__(self, inputs: int) -> None:
        self._sums = np.zeros((inputs, inputs))
        self._last: tuple[bytes, Numbers] | None = None

    def add(self, given: NDArray[np.float32]) -> None:
        """Add samples, (count, inputs)."""
        numbers = given.astype(np.float64)
        self._sums += numbers.T @ numbers

    @property
    def squares(self) -> Numbers:
        """The sum of the squares of each input."""
        found: Numbers = np.diagonal(self._sums)
        return found

    def rounded(self, rows: Numbers, scales: Numbers, steps: int) -> Numbers:
        """Return weights as multiples of their rows' scales. All moments are added before the first call.

        rows: (outputs, inputs). steps: of a weight, to each side.
        """
        key = rows.tobytes() + scales.tobytes()  # the search for layers asks again and again
        if self._last is None or self._last[0] != key:
            self._last = key, self._round(rows, scales, steps)
        return self._last[1]

    def _round(self, rows: Numbers, scales: Numbers, steps: int) -> Numbers:
        left, found = rows[:, self._order], np.empty_like(rows)
        for place, column in enumerate(self._order):
            found[:, column] = scales * _nearest(left[:, place] / scales, steps)
            lost = (left[:, place] - found[:, column]) / self._factors[place, place]
            left[:, place:] -= np.outer(lost, self._factors[place, place:])
        return found

    @cached_property
    def _order(self) -> NDArray[np.intp]:
        """The inputs, those first that matter most, with all others to make good what is lost."""
        return np.argsort(-self.squares, kind="stable")

    @cached_property
    def _factors(self) -> Numbers:
        """The upper triangle whose square is the inverse of the moments, in their order."""
        mean = float(self.squares.mean()) or 1.0
        damped = self._sums[np.ix_(self._order, self._order)] / mean + _DAMPING * np.eye(len(self._sums))
        found: Numbers = np.linalg.cholesky(np.linalg.inv(damped)).T
        return found


def least_square_scales(
    rows: Numbers, whole: Numbers, steps: int, per: str, squares: Numbers | None = None
) -> Numbers:
    """Return a scale for each row, or the same for all, with which the squares of all errors are least.

    rows: (outputs, inputs). whole: the scale of each row at which nothing is cut. steps: of a weight, to each
    side. per: "channel" or "tensor". squares: of the inputs, by which errors count; None: all alike.
    """
    if per == "tensor":
        whole = np.full_like(whole, whole.max(initial=0))
    best, least = whole, np.full(len(rows), np.inf)
    for share in _SHARES:
        scales = np.maximum(share * whole, np.finfo(np.float64).tiny)[:, None]
        errors = np.square(rows - scales * _nearest(rows / scales, steps))
        errors = (errors if squares is None else errors * squares).sum(1)
        if per == "tensor":
            errors[:] = errors.sum()
        best, least = np.where(errors < least, share * whole, best), np.minimum(errors, least)
    return best


def _nearest(numbers: NDArray[np.float64], steps: int) -> NDArray[np.float64]:
    found: NDArray[np.float64] = np.clip(np.rint(numbers), -steps, steps)
    return found
