"""Rows of numbers made one number each, on numpy."""

import numpy as np

from burnrt.kernels.numpy.laid import shaped

if False:  # for type checkers
    from burnrt.kernels.numpy.laid import Array


@np.errstate(all="ignore")
def total(x: "Array", factor: float, out: "Array", outer: int, size: int, inner: int) -> None:
    sums = shaped(x, (outer, size, inner)).sum(1, dtype=np.float64)
    shaped(out, (outer, inner))[:] = sums * factor


@np.errstate(all="ignore")
def variance(x: "Array", factor: float, out: "Array", outer: int, size: int, inner: int) -> None:
    x = shaped(x, (outer, size, inner)).astype(np.float64)
    squares = np.square(x - x.mean(1, keepdims=True)).sum(1)
    shaped(out, (outer, inner))[:] = squares * factor


@np.errstate(all="ignore")
def product(x: "Array", out: "Array", outer: int, size: int, inner: int) -> None:
    shaped(out, (outer, inner))[:] = shaped(x, (outer, size, inner)).prod(1, dtype=np.float64)


@np.errstate(all="ignore")
def amax(x: "Array", out: "Array", outer: int, size: int, inner: int) -> None:
    shaped(out, (outer, inner))[:] = shaped(x, (outer, size, inner)).max(1)


@np.errstate(all="ignore")
def amin(x: "Array", out: "Array", outer: int, size: int, inner: int) -> None:
    shaped(out, (outer, inner))[:] = shaped(x, (outer, size, inner)).min(1)


@np.errstate(all="ignore")
def argmax(x: "Array", out: "Array", outer: int, size: int, inner: int) -> None:
    shaped(out, (outer, inner))[:] = shaped(x, (outer, size, inner)).argmax(1)


@np.errstate(all="ignore")
def argmin(x: "Array", out: "Array", outer: int, size: int, inner: int) -> None:
    shaped(out, (outer, inner))[:] = shaped(x, (outer, size, inner)).argmin(1)


@np.errstate(all="ignore")
def cumsum(x: "Array", out: "Array", outer: int, size: int, inner: int) -> None:
    x = shaped(x, (outer, size, inner))
    shaped(out, x.shape)[:] = np.cumsum(x, 1, dtype=np.float64)
