"""Rows of numbers made one number each, in plain Python.

x: (outer, size, inner). out: (outer, inner), not the buffer of x, unless said otherwise. Where x is NaN, its
row's answer is.
"""

if False:  # for type checkers
    from burnrt.types import NumberBuffer, Numbers


def total(x: "Numbers", factor: float, out: "NumberBuffer", outer: int, size: int, inner: int) -> None:
    """out = the sums of x, times factor."""
    for place in range(outer * inner):
        at = place // inner * size * inner + place % inner
        found = 0.0
        for _ in range(size):
            found += x[at]
            at += inner
        out[place] = found * factor


def product(x: "Numbers", out: "NumberBuffer", outer: int, size: int, inner: int) -> None:
    """out = the products of x."""
    for place in range(outer * inner):
        at = place // inner * size * inner + place % inner
        found = 1.0
        for _ in range(size):
            found *= x[at]
            at += inner
        out[place] = found


def amax(x: "Numbers", out: "NumberBuffer", outer: int, size: int, inner: int) -> None:
    """out = the largest of x."""
    for place in range(outer * inner):
        at = place // inner * size * inner + place % inner
        best = x[at]
        for _ in range(1, size):
            at += inner
            value = x[at]
            if value > best or value != value:
                best = value
        out[place] = best


def amin(x: "Numbers", out: "NumberBuffer", outer: int, size: int, inner: int) -> None:
    """out = the smallest of x."""
    for place in range(outer * inner):
        at = place // inner * size * inner + place % inner
        best = x[at]
        for _ in range(1, size):
            at += inner
            value = x[at]
            if value < best or value != value:
                best = value
        out[place] = best


def argmax(x: "Numbers", out: "NumberBuffer", outer: int, size: int, inner: int) -> None:
    """out = where along the size the largest of x is, or the first that is no number."""
    for place in range(outer * inner):
        at = place // inner * size * inner + place % inner
        best, found = x[at], 0
        for index in range(1, size):
            at += inner
            value = x[at]
            if value > best or (value != value and best == best):
                best, found = value, index
        out[place] = found


def argmin(x: "Numbers", out: "NumberBuffer", outer: int, size: int, inner: int) -> None:
    """out = where along the size the smallest of x is, or the first that is no number."""
    for place in range(outer * inner):
        at = place // inner * size * inner + place % inner
        best, found = x[at], 0
        for index in range(1, size):
            at += inner
            value = x[at]
            if value < best or (value != value and best == best):
                best, found = value, index
        out[place] = found


def variance(x: "Numbers", factor: float, out: "NumberBuffer", outer: int, size: int, inner: int) -> None:
    """out = the sums of the squares of what x differs from its mean by, times factor."""
    for place in range(outer * inner):
        start = at = place // inner * size * inner + place % inner
        found = 0.0
        for _ in range(size):
            found += x[at]
            at += inner
        mean = found / size
        at, found = start, 0.0
        for _ in range(size):
            found += (x[at] - mean) ** 2
            at += inner
        out[place] = found * factor


def cumsum(x: "Numbers", out: "NumberBuffer", outer: int, size: int, inner: int) -> None:
    """out = the sums of x up to each number; (outer, size, inner), which may be the buffer of x."""
    for place in range(outer * inner):
        at = place // inner * size * inner + place % inner
        found = 0.0
        for _ in range(size):
            found += x[at]
            out[at] = found
            at += inner
