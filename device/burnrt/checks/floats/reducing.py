"""Rows of numbers made one number each."""

from burnrt.checks.floats.counts import EACH, flat, real

if False:  # for type checkers
    from typing import Any


def product(x: "Any", out: "Any", outer: int, size: int, inner: int) -> "Any":
    count = flat(outer, size, inner)
    return x == count and out == flat(outer, inner) and count[0] > 0 and (EACH * count[0], 2, 0)


amax = amin = argmax = argmin = product


def total(x: "Any", factor: float, out: "Any", outer: int, size: int, inner: int) -> "Any":
    answer = real(factor) and product(x, out, outer, size, inner)
    return answer and (2 * answer[0], 4, 0)


variance = total


def cumsum(x: "Any", out: "Any", outer: int, size: int, inner: int) -> "Any":
    count = flat(outer, size, inner)
    return x == out == count and (EACH * count[0], 2, 1)
