"""Golden inputs and outputs for the self-test on the board; `burnrt.selftest` says how they are named.

The outputs are what the model answers on this computer.
"""

from collections.abc import Iterable
from typing import Any

import numpy as np

from burnpack.errors import InvalidTensor
from burnpack.module import Module
from burnpack.tensor import Tensor
from burnrt import selftest, tensor
from burnstore.arrays import tensor_from_array

PREFIX = "selftest."

Scalars = list[tuple[str, Any]]


def with_golden(
    tensors: Iterable[Tensor],
    model: Module,
    inputs: Iterable[Any],
    tolerance: float = selftest.DEFAULT_TOLERANCE,
) -> tuple[list[Tensor], Scalars]:
    """Return `tensors` with the cases' tensors behind them, and the scalars to save with them.

    tensors: a whole model's; cases that are among them already are left out.
    model: takes the tensors' data, then answers. inputs: arrays, each with its batch first: a case each.
    tolerance: how far a number may be off, as a part of it, or of 1 where it is smaller.
    Raises `BurnpackError` where the tensors don't fill the model, or where it does not take an input.
    """
    own = [item for item in tensors if not item.name.startswith(PREFIX)]
    result = model.apply(own)
    if result.errors or result.missing:
        raise InvalidTensor("the tensors do not fill the model\n" + str(result))
    golden = []
    for number, given in enumerate(inputs):
        array = np.ascontiguousarray(given, np.float32)
        answer = np.asarray(model(tensor(array)), np.float32)
        golden.append(tensor_from_array(selftest.INPUT + str(number), array))
        golden.append(tensor_from_array(selftest.OUTPUT + str(number), answer))
    return own + golden, [(selftest.TOLERANCE, float(tolerance))]
