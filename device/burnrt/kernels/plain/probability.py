"""Softmax and its logarithm along one dimension, in plain Python.

x, out: (outer, size, inner), softmax over the middle; they may be one buffer. The largest number is
subtracted first, so that nothing overflows.
"""

from math import exp, log

if False:  # for type checkers
    from collections.abc import Iterator

    from burnrt.types import NumberBuffer, Numbers


def softmax(x: "Numbers", out: "NumberBuffer", outer: int, size: int, inner: int) -> None:
    """out = e^x / Σ e^x."""
    for places in _lines(outer, size, inner):
        _divide(x, out, places, _largest(x, places), 0.0)


def quiet_softmax(x: "Numbers", out: "NumberBuffer", outer: int, size: int, inner: int) -> None:
    """out = e^x / (1 + Σ e^x): the softmax among the numbers and one more that is 0.

    https://www.evanmiller.org/attention-is-off-by-one.html
    """
    for places in _lines(outer, size, inner):
        top = max(0.0, _largest(x, places))
        _divide(x, out, places, top, exp(-top))


def _divide(x: "Numbers", out: "NumberBuffer", places: range, top: float, total: float) -> None:
    """out = e^(x - top) over the sum of these and `total`."""
    for place in places:
        power = exp(x[place] - top)
        out[place] = power
        total += power
    for place in places:
        out[place] /= total


def log_softmax(x: "Numbers", out: "NumberBuffer", outer: int, size: int, inner: int) -> None:
    """out = x - log Σ e^x: of x - top first, as a large top and a small logarithm have no sum."""
    for places in _lines(outer, size, inner):
        top = _largest(x, places)
        total = 0.0
        for place in places:
            total += exp(x[place] - top)
        total = log(total)
        for place in places:
            out[place] = x[place] - top - total


def _lines(outer: int, size: int, inner: int) -> "Iterator[range]":
    """Yield the places of each line along the middle dimension, as a range."""
    for first in range(outer):
        for last in range(inner):
            start = first * size * inner + last
            yield range(start, start + size * inner, inner)


def _largest(x: "Numbers", places: range) -> float:
    top = x[places[0]]
    for place in places:
        if x[place] > top:
            top = x[place]
    return top
