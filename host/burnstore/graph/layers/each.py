"""Functions of each number."""

from math import inf
from typing import Any

import numpy as np

from burnrt import tensor
from burnrt.trace import Step
from burnstore.graph.following import Maker
from burnstore.graph.layers.step import parameter, unsupported
from burnstore.graph.operations import Clip, Lookup, Numbers, Operation

# Layers that a table of 256 numbers replaces.
_TABLES = """
CELU ELU Gelu HardSigmoid HardSwish Hardshrink LeakyRelu LogSigmoid Mish
RReLU SELU Sigmoid SiLU Softplus Softshrink Softsign Tanh Tanhshrink Threshold
"""


def _relu(step: Step, layer: Any, common: Any) -> Operation:
    return Clip(**common, low=0.0, high=inf)


def _relu6(step: Step, layer: Any, common: Any) -> Operation:
    return Clip(**common, low=0.0, high=6.0)


def _hardtanh(step: Step, layer: Any, common: Any) -> Operation:
    return Clip(**common, low=layer.min_val, high=layer.max_val)


def _lookup(step: Step, layer: Any, common: Any) -> Operation:
    def function(numbers: Numbers) -> Numbers:
        with np.errstate(all="ignore"):  # what is not finite is told where the table is made
            return np.asarray(layer(tensor(numbers, (1, len(numbers)))), np.float64).reshape(-1)

    return Lookup(**common, function=function)


def _prelu(step: Step, layer: Any, common: Any) -> Operation:
    if layer.alpha.shape != (1,):
        raise unsupported(step, "a PRelu can only have one alpha")
    parameter(step, "alpha")  # which must be finite
    return _lookup(step, layer, common)


EACH: dict[str, Maker] = {
    "Relu": _relu,
    "Relu6": _relu6,
    "Hardtanh": _hardtanh,
    "PRelu": _prelu,
    **dict.fromkeys(_TABLES.split(), _lookup),
}
