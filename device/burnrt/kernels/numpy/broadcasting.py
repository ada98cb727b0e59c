"""Arithmetic, comparisons and choices of inputs that are broadcast, on numpy."""

import numpy as np

from burnrt.kernels.numpy.laid import shaped, strided

if False:  # for type checkers
    from collections.abc import Callable
    from typing import Any

    from burnpack.types import Shape
    from burnrt.kernels.numpy.laid import Array


def _of(
    function: "Callable[..., Any]",
    a: "Array",
    a_steps: "Shape",
    b: "Array",
    b_steps: "Shape",
    out: "Array",
    extents: "Shape",
) -> None:
    with np.errstate(all="ignore"):
        first, second = strided(a, 0, extents, a_steps), strided(b, 0, extents, b_steps)
        function(first, second, out=shaped(out, extents), dtype=np.float32)


def add_strided(
    a: "Array", a_steps: "Shape", b: "Array", b_steps: "Shape", out: "Array", extents: "Shape"
) -> None:
    _of(np.add, a, a_steps, b, b_steps, out, extents)


def multiply_strided(
    a: "Array", a_steps: "Shape", b: "Array", b_steps: "Shape", out: "Array", extents: "Shape"
) -> None:
    _of(np.multiply, a, a_steps, b, b_steps, out, extents)


def subtract(
    a: "Array", a_steps: "Shape", b: "Array", b_steps: "Shape", out: "Array", extents: "Shape"
) -> None:
    _of(np.subtract, a, a_steps, b, b_steps, out, extents)


def divide(
    a: "Array", a_steps: "Shape", b: "Array", b_steps: "Shape", out: "Array", extents: "Shape"
) -> None:
    _of(np.divide, a, a_steps, b, b_steps, out, extents)


def minimum(
    a: "Array", a_steps: "Shape", b: "Array", b_steps: "Shape", out: "Array", extents: "Shape"
) -> None:
    _of(np.minimum, a, a_steps, b, b_steps, out, extents)


def maximum(
    a: "Array", a_steps: "Shape", b: "Array", b_steps: "Shape", out: "Array", extents: "Shape"
) -> None:
    _of(np.maximum, a, a_steps, b, b_steps, out, extents)


def power(a: "Array", a_steps: "Shape", b: "Array", b_steps: "Shape", out: "Array", extents: "Shape") -> None:
    _of(np.power, a, a_steps, b, b_steps, out, extents)


def remainder(
    a: "Array", a_steps: "Shape", b: "Array", b_steps: "Shape", out: "Array", extents: "Shape"
) -> None:
    _of(np.remainder, a, a_steps, b, b_steps, out, extents)


def fmod(a: "Array", a_steps: "Shape", b: "Array", b_steps: "Shape", out: "Array", extents: "Shape") -> None:
    _of(np.fmod, a, a_steps, b, b_steps, out, extents)


def floor_divide(
    a: "Array", a_steps: "Shape", b: "Array", b_steps: "Shape", out: "Array", extents: "Shape"
) -> None:
    _of(np.floor_divide, a, a_steps, b, b_steps, out, extents)


def compare(
    a: "Array",
    a_steps: "Shape",
    b: "Array",
    b_steps: "Shape",
    out: "Array",
    extents: "Shape",
    answers: tuple[float, float, float, float],
) -> None:
    x, y = strided(a, 0, extents, a_steps), strided(b, 0, extents, b_steps)
    shaped(out, extents)[:] = np.select([x < y, x == y, x > y], answers[:3], answers[3])


def where(
    condition: "Array",
    condition_steps: "Shape",
    a: "Array",
    a_steps: "Shape",
    b: "Array",
    b_steps: "Shape",
    out: "Array",
    extents: "Shape",
) -> None:
    chosen = strided(condition, 0, extents, condition_steps) != 0
    shaped(out, extents)[:] = np.where(
        chosen, strided(a, 0, extents, a_steps), strided(b, 0, extents, b_steps)
    )


def matmul(a: "Array", a_steps: "Shape", b: "Array", b_steps: "Shape", out: "Array", sizes: "Shape") -> None:
    batch, (rows, inner, columns) = tuple(sizes[:-3]), sizes[-3:]
    first = strided(a, 0, (*batch, rows, inner), a_steps)
    second = strided(b, 0, (*batch, inner, columns), b_steps)
    with np.errstate(all="ignore"):
        np.matmul(first, second, out=shaped(out, (*batch, rows, columns)))
