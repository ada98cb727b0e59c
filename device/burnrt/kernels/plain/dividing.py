"""Powers, and whole numbers and rests of divisions, of two inputs, which are broadcast, in plain Python.

What all of them take, and their loops over rows, `by_rows` says.
"""

from math import copysign
from math import fmod as _fmod
from math import pow as _pow

from burnrt.kernels.plain.broadcasting import by_zero
from burnrt.kernels.plain.by_rows import by_rows

if False:  # for type checkers
    from burnpack.types import Shape
    from burnrt.types import NumberBuffer, Numbers


_INFINITE = float("inf")
_NONE = float("nan")


def power(
    a: "Numbers", a_steps: "Shape", b: "Numbers", b_steps: "Shape", out: "NumberBuffer", extents: "Shape"
) -> None:
    """out = a to the power of b."""
    by_rows(_powers, a, 0, a_steps, b, 0, b_steps, out, 0, extents, 0)


def _powers(
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
        out[place] = _powered(x, y)
        i += a_step
        j += b_step


def floor_divide(
    a: "Numbers", a_steps: "Shape", b: "Numbers", b_steps: "Shape", out: "NumberBuffer", extents: "Shape"
) -> None:
    """out = a / b, down to a whole number."""
    by_rows(_whole_quotients, a, 0, a_steps, b, 0, b_steps, out, 0, extents, 0)


def _whole_quotients(
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
        out[place] = x // y if y and x - x == 0.0 else _NONE if y else by_zero(x, y)
        i += a_step
        j += b_step


def remainder(
    a: "Numbers", a_steps: "Shape", b: "Numbers", b_steps: "Shape", out: "NumberBuffer", extents: "Shape"
) -> None:
    """out = a - b · floor(a / b), which has the sign of b."""
    by_rows(_remainders, a, 0, a_steps, b, 0, b_steps, out, 0, extents, 0)


def _remainders(
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
        out[place] = x % y if y and x - x == 0.0 else _NONE
        i += a_step
        j += b_step


def fmod(
    a: "Numbers", a_steps: "Shape", b: "Numbers", b_steps: "Shape", out: "NumberBuffer", extents: "Shape"
) -> None:
    """out = a - b · trunc(a / b), which has the sign of a."""
    by_rows(_fmods, a, 0, a_steps, b, 0, b_steps, out, 0, extents, 0)


def _fmods(
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
        out[place] = _fmod(x, y) if y and x - x == 0.0 else _NONE
        i += a_step
        j += b_step


def _powered(x: float, y: float) -> float:
    try:
        return _pow(x, y)
    except (ArithmeticError, ValueError):
        is_odd = y % 2.0 == 1.0
    if x < 0.0 and y != y // 1.0:
        return _NONE
    return -_INFINITE if is_odd and copysign(1.0, x) < 0.0 else _INFINITE
