"""Arithmetic with two inputs, which are broadcast, in plain Python.

What all of them take, and their loops over rows, `by_rows` says.
"""

from math import copysign

from burnrt.kernels.plain.by_rows import by_rows

if False:  # for type checkers
    from burnpack.types import Shape
    from burnrt.types import NumberBuffer, Numbers


_INFINITE = float("inf")
_NONE = float("nan")


def add_strided(
    a: "Numbers", a_steps: "Shape", b: "Numbers", b_steps: "Shape", out: "NumberBuffer", extents: "Shape"
) -> None:
    """out = a + b."""
    by_rows(_sums, a, 0, a_steps, b, 0, b_steps, out, 0, extents, 0)


def _sums(
    a: "Numbers",
    i: int,
    a_step: int,
    b: "Numbers",
    j: int,
    b_step: int,
    out: "NumberBuffer",
    to: int,
    end: int,
) -> None:
    for place in range(to, end):
        out[place] = a[i] + b[j]
        i += a_step
        j += b_step


def multiply_strided(
    a: "Numbers", a_steps: "Shape", b: "Numbers", b_steps: "Shape", out: "NumberBuffer", extents: "Shape"
) -> None:
    """out = a · b."""
    by_rows(_products, a, 0, a_steps, b, 0, b_steps, out, 0, extents, 0)


def _products(
    a: "Numbers",
    i: int,
    a_step: int,
    b: "Numbers",
    j: int,
    b_step: int,
    out: "NumberBuffer",
    to: int,
    end: int,
) -> None:
    for place in range(to, end):
        out[place] = a[i] * b[j]
        i += a_step
        j += b_step


def subtract(
    a: "Numbers", a_steps: "Shape", b: "Numbers", b_steps: "Shape", out: "NumberBuffer", extents: "Shape"
) -> None:
    """out = a - b."""
    by_rows(_differences, a, 0, a_steps, b, 0, b_steps, out, 0, extents, 0)


def _differences(
    a: "Numbers",
    i: int,
    a_step: int,
    b: "Numbers",
    j: int,
    b_step: int,
    out: "NumberBuffer",
    to: int,
    end: int,
) -> None:
    for place in range(to, end):
        out[place] = a[i] - b[j]
        i += a_step
        j += b_step


def divide(
    a: "Numbers", a_steps: "Shape", b: "Numbers", b_steps: "Shape", out: "NumberBuffer", extents: "Shape"
) -> None:
    """out = a / b; by 0 it is infinite, or no number."""
    by_rows(_quotients, a, 0, a_steps, b, 0, b_steps, out, 0, extents, 0)


def _quotients(
    a: "Numbers",
    i: int,
    a_step: int,
    b: "Numbers",
    j: int,
    b_step: int,
    out: "NumberBuffer",
    to: int,
    end: int,
) -> None:
    for place in range(to, end):
        x, y = a[i], b[j]
        out[place] = x / y if y else by_zero(x, y)
        i += a_step
        j += b_step


def minimum(
    a: "Numbers", a_steps: "Shape", b: "Numbers", b_steps: "Shape", out: "NumberBuffer", extents: "Shape"
) -> None:
    """out = the smaller of a and b; no number where one of them is none."""
    by_rows(_smaller, a, 0, a_steps, b, 0, b_steps, out, 0, extents, 0)


def _smaller(
    a: "Numbers",
    i: int,
    a_step: int,
    b: "Numbers",
    j: int,
    b_step: int,
    out: "NumberBuffer",
    to: int,
    end: int,
) -> None:
    for place in range(to, end):
        x, y = a[i], b[j]
        out[place] = x if x < y or x != x else y
        i += a_step
        j += b_step


def maximum(
    a: "Numbers", a_steps: "Shape", b: "Numbers", b_steps: "Shape", out: "NumberBuffer", extents: "Shape"
) -> None:
    """out = the larger of a and b; no number where one of them is none."""
    by_rows(_larger, a, 0, a_steps, b, 0, b_steps, out, 0, extents, 0)


def _larger(
    a: "Numbers",
    i: int,
    a_step: int,
    b: "Numbers",
    j: int,
    b_step: int,
    out: "NumberBuffer",
    to: int,
    end: int,
) -> None:
    for place in range(to, end):
        x, y = a[i], b[j]
        out[place] = x if x > y or x != x else y
        i += a_step
        j += b_step


def by_zero(x: float, y: float) -> float:
    """Return x / y where y is 0."""
    return _NONE if x != x or x == 0.0 else copysign(_INFINITE, x) * copysign(1.0, y)
