"""From floats to bytes and back: the same bytes and floats on every interpreter.

A byte q stands for scale × (q - zero point). All is computed in binary32, each step rounded: boards have such
floats, and where floats are wider, one operation on two binary32 numbers, rounded to binary32, is the same
number. Only MicroPython's object representation C, whose floats have two bits less, may differ.

    quantized    x / scale + (zero point + 0.5), cut to 0..255, without what is behind the point; 0 for a NaN
    dequantized  scale × (q - zero point)

All between is integers, so a self-test may demand the very same answers, unless a LogSoftmax comes last.
"""

from array import array

if False:  # for type checkers
    from typing import Any

    from burnrt.types import Numbers


def quantize(numbers: "Numbers", scale: float, zero: int, target: "Any") -> None:
    """Fill `target`, a buffer of bytes, from as many floats."""
    rounded = array("f", [scale, 0.0])
    scale = rounded[0]
    shift = zero + 0.5
    for place in range(len(target)):
        rounded[1] = numbers[place]
        rounded[1] = rounded[1] / scale
        rounded[1] = rounded[1] + shift
        value = rounded[1]
        target[place] = 255 if value >= 255.0 else int(value) if value >= 1.0 else 0


def place_indices(numbers: "Numbers", target: "Any") -> None:
    """Fill `target`, two bytes for each, the lower one first, from whole numbers, kept within 0 to 65,535."""
    for place in range(len(target) // 2):
        value = int(min(max(0, numbers[place]), 65535) + 0.5)  # 0 for a NaN
        target[2 * place] = value & 255
        target[2 * place + 1] = value >> 8


def dequantized(source: "Any", scale: float, zero: int) -> "array[float]":
    """Return a new array of floats from as many bytes."""
    found = array("f", range(len(source)))  # a copy of bytes would take them for bits
    dequantize(source, scale, zero, found)
    return found


def dequantize(source: "Any", scale: float, zero: int, target: "Any") -> None:
    """Fill `target`, a buffer of floats, from as many bytes."""
    scale = array("f", [scale])[0]
    for place in range(len(target)):
        target[place] = scale * (source[place] - zero)
