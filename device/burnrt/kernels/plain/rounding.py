"""Whole numbers near others, in plain Python.

x, out: (count); they may be one buffer. What is infinite or no number stays so.
"""

from math import ceil as _ceil
from math import floor as _floor

if False:  # for type checkers
    from burnrt.types import NumberBuffer, Numbers


_WHOLE = 8388608.0  # from here on all numbers of 32 bits are whole


def floor(x: "Numbers", out: "NumberBuffer", count: int) -> None:
    """out = the largest whole number that is not above x."""
    for place in range(count):
        value = x[place]
        out[place] = _floor(value) if -_WHOLE < value < _WHOLE else value


def ceil(x: "Numbers", out: "NumberBuffer", count: int) -> None:
    """out = the smallest whole number that is not below x."""
    for place in range(count):
        value = x[place]
        out[place] = _ceil(value) if -_WHOLE < value < _WHOLE else value


def rint(x: "Numbers", out: "NumberBuffer", count: int) -> None:
    """out = the nearest whole number, of two that are as near the even one."""
    for place in range(count):
        value = x[place]
        out[place] = round(value) if -_WHOLE < value < _WHOLE else value


def trunc(x: "Numbers", out: "NumberBuffer", count: int) -> None:
    """out = x without what is behind its point."""
    for place in range(count):
        value = x[place]
        out[place] = int(value) if -_WHOLE < value < _WHOLE else value
