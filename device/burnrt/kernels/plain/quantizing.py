"""Numbers rounded to what integers can say, in plain Python.

x and out: (count); of `fake_quantize` they may be one buffer.
"""

from burnrt.numbers import dequantize as of_bytes
from burnrt.numbers import quantize as to_bytes

if False:  # for type checkers
    from burnrt.types import Arena, NumberBuffer, Numbers


def fake_quantize(x: "Numbers", scale: float, low: int, high: int, out: "NumberBuffer", count: int) -> None:
    """out = scale · round(x / scale), within low to high times scale; halves go to the even."""
    inverse = 1.0 / scale
    for place in range(count):
        value = x[place] * inverse
        if value == value:
            value = round(low if value < low else high if value > high else value)
        out[place] = value * scale


def quantize(x: "Numbers", scale: float, zero: int, out: "Arena", count: int) -> None:
    """out = x / scale + zero, rounded, in bytes: see `burnrt.numbers`."""
    to_bytes(x, scale, zero, out)


def dequantize(x: "Arena", scale: float, zero: int, out: "NumberBuffer", count: int) -> None:
    """out = scale · (x - zero), of bytes: see `burnrt.numbers`."""
    of_bytes(x, scale, zero, out)
