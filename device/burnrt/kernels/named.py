"""Kernels by the names that programs have for them, of integers as in "int8.linear". Bundles have a table."""

from burnrt import kernels
from burnrt.binding import by_address, by_arguments, by_view
from burnrt.checks import named as checks
from burnrt.kernels import int8

if False:  # for type checkers
    from collections.abc import Callable
    from typing import Any

# Whether there are kernels of integers, of floats, what outputs leave to floats, states, inputs of indices of
# 16 bits, and kernels of integers that read or write parts of values. A bundle that lacks one of these has no
# code for it.
INTEGERS = True
FLOATS = True
LEFT = True
STATES = True
INDICES = True
PARTS = True

NATIVE = ("thumb_dsp", "thumb_m3", "thumb_m0", "viper")  # sets that take addresses


def find(name: str) -> "tuple[Callable[..., Any], Callable[..., Any], Any]":
    """Return (kernel, what makes a call of it out of a step's words, what checks these).

    See `burnrt.binding` and `burnrt.checks`. Raises `KeyError` for a name that no kernel has,
    `AttributeError` or `ImportError` where no set in use has the kernel.
    """
    check = checks.find(name)
    if not name.startswith("int8."):
        return getattr(kernels, name), by_arguments, check
    found = getattr(int8, name[5:])
    return found, by_address if int8.home(name[5:]) in NATIVE else by_view, check
