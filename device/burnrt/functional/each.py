"""Functions of each number for itself."""

from burnrt import kernels
from burnrt.functional.arithmetic import affine
from burnrt.functional.operands import through
from burnrt.nn.layer import Layer

if False:  # for type checkers
    from typing import Any

    from burnrt.types import Calls
    from burnrt.value import Value


class Each(Layer):
    """Compute a function of each number.

    Input of any shape [...]; the output has the same shape. kernel: the name of what computes it.
    """

    in_place = True
    kernel = ""

    def bind(self, input: "Value", output: "Value") -> "Calls":
        return [(getattr(kernels, self.kernel), (input.data, output.data, len(output.data)))]


class Absolute(Each):
    kernel = "absolute"


class Sqrt(Each):
    kernel = "sqrt"


class Rsqrt(Each):
    kernel = "rsqrt"


class Exp(Each):
    kernel = "exp"


class Expm1(Each):
    kernel = "expm1"


class Log(Each):
    kernel = "log"


class Log1p(Each):
    kernel = "log1p"


class Sin(Each):
    kernel = "sin"


class Cos(Each):
    kernel = "cos"


class Tan(Each):
    kernel = "tan"


class Erf(Each):
    kernel = "erf"


def abs(input: "Any") -> "Value":
    """Return each number without its sign."""
    return through(Absolute(), input)


def sqrt(input: "Any") -> "Value":
    """Return the square roots; of negative numbers they are no numbers."""
    return through(Sqrt(), input)


def rsqrt(input: "Any") -> "Value":
    """Return 1 / √input."""
    return through(Rsqrt(), input)


def exp(input: "Any") -> "Value":
    """Return e to each number."""
    return through(Exp(), input)


def exp2(input: "Any") -> "Value":
    """Return 2 to each number."""
    return exp(affine(input, 0.6931471805599453, 0.0))


def expm1(input: "Any") -> "Value":
    """Return e to each number, less 1; near 0 it is as exact as elsewhere."""
    return through(Expm1(), input)


def log(input: "Any") -> "Value":
    """Return the natural logarithms; of negative numbers they are no numbers."""
    return through(Log(), input)


def log1p(input: "Any") -> "Value":
    """Return log(1 + input); near 0 it is as exact as elsewhere."""
    return through(Log1p(), input)


def log2(input: "Any") -> "Value":
    """Return the logarithms to base 2."""
    return affine(log(input), 1.4426950408889634, 0.0)


def log10(input: "Any") -> "Value":
    """Return the logarithms to base 10."""
    return affine(log(input), 0.4342944819032518, 0.0)


def sin(input: "Any") -> "Value":
    """Return the sines."""
    return through(Sin(), input)


def cos(input: "Any") -> "Value":
    """Return the cosines."""
    return through(Cos(), input)


def tan(input: "Any") -> "Value":
    """Return the tangents."""
    return through(Tan(), input)


def erf(input: "Any") -> "Value":
    """Return the error function of each number."""
    return through(Erf(), input)


absolute = abs
