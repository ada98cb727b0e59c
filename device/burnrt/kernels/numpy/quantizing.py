"""Floats as bytes, and bytes as floats, on numpy: the same as `burnrt.numbers` has."""

import numpy as np

if False:  # for type checkers
    from burnrt.kernels.numpy.laid import Array


@np.errstate(all="ignore")
def quantize(x: "Array", scale: float, zero: int, out: "Array", count: int) -> None:
    steps = np.asarray(x, np.float32) / np.float32(scale) + np.float32(zero + 0.5)
    np.asarray(out)[:] = np.where(steps >= 1, np.minimum(steps, 255), 0)


def dequantize(x: "Array", scale: float, zero: int, out: "Array", count: int) -> None:
    numbers = np.asarray(x, np.float32) - np.float32(zero)
    np.multiply(numbers, np.float32(scale), out=np.asarray(out))
