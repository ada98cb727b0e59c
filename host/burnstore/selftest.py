"""Golden inputs and outputs for the self-test on the board; `burnrt.selftest` says how they are named.

The outputs are what the model answers on this computer.
"""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from burnpack.errors import InvalidTensor
from burnpack.module import Module
from burnpack.reader import Reader
from burnpack.tensor import Tensor
from burnrt import int8, selftest, tensor
from burnrt.int8.numbers import dequantize, quantize
from burnstore.arrays import tensor_from_array
from burnstore.container import Container

PREFIX = "selftest."
EXACT = 0.0

Scalars = list[tuple[str, Any]]


def is_quantized(container: Container) -> bool:
    """Tell whether a file holds a model in integers, as `burnstore quantize` writes it."""
    return any(key == "int8.version" for key, _ in container.metadata())


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
    own = _without_cases(tensors)
    result = model.apply(own)
    if result.errors or result.missing:
        raise InvalidTensor("the tensors do not fill the model\n" + str(result))
    cases = [np.ascontiguousarray(given, np.float32) for given in inputs]
    return own + _golden(cases, model), [(selftest.TOLERANCE, float(tolerance))]


def with_quantized_golden(
    container: Reader, inputs: Iterable[Any], tolerance: float | None = None
) -> tuple[list[Tensor], Scalars]:
    """Return the same of an opened quantized model, which needs no class.

    Inputs are moved to the nearest that bytes stand for. Boards then find the same bytes, and answer exactly
    the same, unless the model ends in floats: without a tolerance none is allowed, or else the usual one.
    """
    model = int8.Model(container)
    if tolerance is None:
        tolerance = selftest.DEFAULT_TOLERANCE if model.last else EXACT
    cases = [_on_bytes(model, np.ascontiguousarray(given, np.float32)) for given in inputs]
    return _without_cases(container) + _golden(cases, model), [(selftest.TOLERANCE, float(tolerance))]


def any_input(model: int8.Model, seed: int) -> NDArray[np.float32]:
    """Return an input of a quantized model, of any bytes."""
    found = np.random.default_rng(seed).integers(0, 256, model.input_shape, np.uint8)
    return _numbers(model, found.tobytes())


def _on_bytes(model: int8.Model, numbers: NDArray[np.float32]) -> NDArray[np.float32]:
    if numbers.shape != model.input_shape:
        shapes = list(model.input_shape), list(numbers.shape)
        what = "wrong input shape (golden --cases N takes the first N of several)"
        raise InvalidTensor(what, "the model", None, None, *shapes)
    found = bytearray(numbers.size)
    quantize(numbers.reshape(-1), model.input_scale, model.input_zero, found)
    return _numbers(model, found)


def _numbers(model: int8.Model, found: bytes | bytearray) -> NDArray[np.float32]:
    return np.asarray(dequantize(found, model.input_scale, model.input_zero, model.input_shape))


def _without_cases(tensors: Iterable[Tensor]) -> list[Tensor]:
    return [item for item in tensors if not item.name.startswith(PREFIX)]


def _golden(cases: Iterable[NDArray[np.float32]], answer: Callable[[Any], Any]) -> list[Tensor]:
    """Return the tensors of the cases, each an input and what is answered to it."""
    golden = []
    for number, given in enumerate(cases):
        found = np.asarray(answer(tensor(given)), np.float32)
        golden.append(tensor_from_array(selftest.INPUT + str(number), given))
        golden.append(tensor_from_array(selftest.OUTPUT + str(number), found))
    return golden
