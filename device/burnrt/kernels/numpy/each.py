"""Functions of one number, on numpy."""

import math

import numpy as np

from burnrt.kernels.numpy.laid import shaped

if False:  # for type checkers
    from burnrt.kernels.numpy.laid import Array


@np.errstate(all="ignore")
def absolute(x: "Array", out: "Array", count: int) -> None:
    np.abs(x, out=shaped(out, (count,)))


@np.errstate(all="ignore")
def sqrt(x: "Array", out: "Array", count: int) -> None:
    np.sqrt(x, out=shaped(out, (count,)))


@np.errstate(all="ignore")
def exp(x: "Array", out: "Array", count: int) -> None:
    np.exp(x, out=shaped(out, (count,)))


@np.errstate(all="ignore")
def expm1(x: "Array", out: "Array", count: int) -> None:
    np.expm1(x, out=shaped(out, (count,)))


@np.errstate(all="ignore")
def log(x: "Array", out: "Array", count: int) -> None:
    np.log(x, out=shaped(out, (count,)))


@np.errstate(all="ignore")
def log1p(x: "Array", out: "Array", count: int) -> None:
    np.log1p(x, out=shaped(out, (count,)))


@np.errstate(all="ignore")
def sin(x: "Array", out: "Array", count: int) -> None:
    np.sin(x, out=shaped(out, (count,)))


@np.errstate(all="ignore")
def cos(x: "Array", out: "Array", count: int) -> None:
    np.cos(x, out=shaped(out, (count,)))


@np.errstate(all="ignore")
def tan(x: "Array", out: "Array", count: int) -> None:
    np.tan(x, out=shaped(out, (count,)))


@np.errstate(all="ignore")
def floor(x: "Array", out: "Array", count: int) -> None:
    np.floor(x, out=shaped(out, (count,)))


@np.errstate(all="ignore")
def ceil(x: "Array", out: "Array", count: int) -> None:
    np.ceil(x, out=shaped(out, (count,)))


@np.errstate(all="ignore")
def rint(x: "Array", out: "Array", count: int) -> None:
    np.rint(x, out=shaped(out, (count,)))


@np.errstate(all="ignore")
def trunc(x: "Array", out: "Array", count: int) -> None:
    np.trunc(x, out=shaped(out, (count,)))


@np.errstate(all="ignore")
def rsqrt(x: "Array", out: "Array", count: int) -> None:
    np.divide(1.0, np.sqrt(np.asarray(x)), out=shaped(out, (count,)))


def erf(x: "Array", out: "Array", count: int) -> None:
    shaped(out, (count,))[:] = np.fromiter(map(math.erf, np.asarray(x, np.float64)), np.float64, count)
