"""Functions of each number."""

from functools import partial
from math import inf
from typing import Any

import numpy as np

from burnrt import tensor
from burnrt.trace import Step
from burnstore.graph.constants import is_constant, numbers_of
from burnstore.graph.following import Maker
from burnstore.graph.layers.step import check_batch, parameter, unsupported
from burnstore.graph.operations import Clip, Lookup, LookupEach, Numbers, Operation

# Layers that a table of 256 numbers replaces.
_TABLES = """
CELU ELU Gelu HardSigmoid HardSwish Hardshrink LeakyRelu LogSigmoid Mish
RReLU SELU Sigmoid SiLU Softplus Softshrink Softsign Tanh Tanhshrink Threshold
Absolute Sqrt Rsqrt Exp Expm1 Log Log1p Sin Cos Tan Erf Floor Ceil Round Trunc
"""

# Functions of two or three values, where all but one are single numbers.
_OF_ONE = "Compare Minimum Maximum Power FloorDivide Remainder Fmod Where"


def _relu(step: Step, layer: Any, common: Any) -> Operation:
    return Clip(**common, low=0.0, high=inf)


def _relu6(step: Step, layer: Any, common: Any) -> Operation:
    return Clip(**common, low=0.0, high=6.0)


def _hardtanh(step: Step, layer: Any, common: Any) -> Operation:
    return Clip(**common, low=layer.min_val, high=layer.max_val)


def _clamp(step: Step, layer: Any, common: Any) -> Operation:
    return Clip(**common, low=layer.low, high=layer.high)


def _lookup(step: Step, layer: Any, common: Any) -> Operation:
    return Lookup(**common, function=lambda numbers: _called(layer, numbers))


def _called(layer: Any, *inputs: Any) -> Numbers:
    """Return what a layer makes of as many numbers, or of one, each."""
    values = [tensor(numbers, (1, np.size(numbers))) for numbers in inputs]
    with np.errstate(all="ignore"):  # what is not finite is told where the table is made
        return np.asarray(layer(*values), np.float64).reshape(-1)


def of_one(step: Step, layer: Any, common: Any) -> Operation:
    """Return a function of one value, where all else that a layer takes are single numbers."""
    computed = [value for value in step.inputs if not is_constant(value)]
    numbers = {value.number for value in computed}
    kept = [
        numbers_of(value.graph.constants[value.number]) if is_constant(value) else None
        for value in step.inputs
    ]
    shapes = {value.shape for value in computed}
    if len(numbers) != 1 or len(shapes) != 1 or any(each is not None and each.size != 1 for each in kept):
        what = "in integers, it takes one computed value, and else single numbers that stay the same"
        raise unsupported(step, what)
    common["inputs"] = (computed[0].number,)

    def function(given: Numbers) -> Numbers:
        return _called(layer, *(given if each is None else each for each in kept))

    return Lookup(**common, function=function)


def _prelu(step: Step, layer: Any, common: Any) -> Operation:
    alphas = parameter(step, "alpha")
    if len(alphas) == 1:
        return _lookup(step, layer, common)
    check_batch(step, step.output.shape)
    return LookupEach(**common, functions=[partial(_leaking, alpha) for alpha in alphas.tolist()])


def _leaking(alpha: float, numbers: Numbers) -> Numbers:
    return np.where(numbers > 0, numbers, alpha * numbers)


EACH: dict[str, Maker] = {
    "Relu": _relu,
    "Relu6": _relu6,
    "Hardtanh": _hardtanh,
    "Clamp": _clamp,
    "PRelu": _prelu,
    **dict.fromkeys(_OF_ONE.split(), of_one),
    **dict.fromkeys(_TABLES.split(), _lookup),
}
