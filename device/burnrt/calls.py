"""Calling a function with arguments that lie in a tuple, without an allocation.

`function(*arguments)` makes a copy of the arguments on MicroPython's heap. As a call of four arguments, two
of which count for nothing, it stands in a row with calls of kernels of integers.
"""

if False:  # for type checkers
    from collections.abc import Callable
    from typing import Any


_WRITTEN_OUT = (
    lambda f, a, b, c: f(),
    lambda f, a, b, c: f(a[0]),
    lambda f, a, b, c: f(a[0], a[1]),
    lambda f, a, b, c: f(a[0], a[1], a[2]),
    lambda f, a, b, c: f(a[0], a[1], a[2], a[3]),
    lambda f, a, b, c: f(a[0], a[1], a[2], a[3], a[4]),
    lambda f, a, b, c: f(a[0], a[1], a[2], a[3], a[4], a[5]),
    lambda f, a, b, c: f(a[0], a[1], a[2], a[3], a[4], a[5], a[6]),
    lambda f, a, b, c: f(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7]),
    lambda f, a, b, c: f(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8]),
    lambda f, a, b, c: f(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9]),
    lambda f, a, b, c: f(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10]),
    lambda f, a, b, c: f(a[0], a[1], a[2], a[3], a[4], a[5], a[6], a[7], a[8], a[9], a[10], a[11]),
)


def caller(count: int) -> "Callable[[Callable[..., Any], tuple[Any, ...], None, None], Any]":
    """Return what calls a function: `caller(len(arguments))(function, arguments, None, None)`."""
    return _WRITTEN_OUT[count] if count < len(_WRITTEN_OUT) else _with_any


def _with_any(function: "Callable[..., Any]", arguments: "tuple[Any, ...]", b: None, c: None) -> "Any":
    return function(*arguments)
