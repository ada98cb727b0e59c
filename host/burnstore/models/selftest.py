"""Golden inputs and outputs for the self-test on the board; `burnrt.selftest` says how they are named.

The outputs are what the model answers on this computer, or answers from elsewhere that it was compared with.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from burnpack.apply import refusal
from burnpack.errors import InvalidTensor, printable
from burnpack.module import Module
from burnpack.reader import Reader
from burnpack.tensor import Tensor
from burnrt import int8, selftest
from burnrt.int8.numbers import dequantize, quantize
from burnstore.io.container import Container
from burnstore.models.running import Answers, answers_of
from burnstore.numerics.arrays import tensor_from_array

PREFIX = "selftest."
EXACT = 0.0

Floats = NDArray[np.float32]
Case = Sequence[Floats]  # a model's inputs, or its outputs
Scalars = list[tuple[str, Any]]
# From what a model answers to each case to what it must answer; raises `BurnpackError` where it should not.
Judge = Callable[[list[Answers]], Iterable[Case]]


def is_quantized(container: Container) -> bool:
    """Tell whether a file holds a model in integers, as `burnstore quantize` writes it."""
    return any(key == "int8.version" for key, _ in container.metadata())


def with_golden(
    tensors: Iterable[Tensor],
    model: Module,
    inputs: Iterable[Any],
    tolerance: float = selftest.DEFAULT_TOLERANCE,
    judge: Judge = list,
    tell: Callable[[str], None] | None = None,
) -> tuple[list[Tensor], Scalars]:
    """Return `tensors` with the cases' tensors behind them, and the scalars to save with them.

    tensors: a whole model's; cases that are among them already are left out.
    model: takes the tensors' data, then answers. inputs: a case each: an array, its batch first, or a list or
    tuple of the model's inputs. judge: gives the answers that are written; without one they are the model's.
    tolerance: how far a number may be off, as a part of it, or of 1 where it is smaller.
    tell: is given a line on tensors that the model does not compute with, where there are any.
    Raises `BurnpackError` where the tensors don't fill the model, or where it does not take an input.
    """
    own = _without_cases(tensors)
    result = model.apply(own)
    if result.errors or result.missing:
        raise refusal("the tensors do not fill the model", result, None)
    if result.unused and tell is not None:
        tell(f"the model has no place for: {printable(', '.join(result.unused))}")
    return own + _golden(map(_case, inputs), model, judge), [(selftest.TOLERANCE, float(tolerance))]


def with_quantized_golden(
    container: Reader, inputs: Iterable[Any], tolerance: float | None = None, judge: Judge = list
) -> tuple[list[Tensor], Scalars]:
    """Return the same of an opened quantized model, which needs no class.

    Inputs are moved to the nearest that bytes stand for. Boards then find the same bytes, and answer exactly
    the same, unless the model ends in floats: without a tolerance none is allowed, or else the usual one.
    """
    model = int8.Model(container)
    if tolerance is None:
        tolerance = selftest.DEFAULT_TOLERANCE if model.last else EXACT
    cases = ([_on_bytes(model, *_case(given))] for given in inputs)
    return _without_cases(container) + _golden(cases, model, judge), [(selftest.TOLERANCE, float(tolerance))]


def any_input(model: int8.Model, seed: int) -> Floats:
    """Return an input of a quantized model, of any bytes."""
    found = np.random.default_rng(seed).integers(0, 256, model.input_shape, np.uint8)
    return _numbers(model, found.tobytes())


def _case(given: Any) -> Case:
    arrays = given if isinstance(given, (list, tuple)) else [given]
    return [np.ascontiguousarray(array, np.float32) for array in arrays]


def _on_bytes(model: int8.Model, numbers: Floats, *others: Floats) -> Floats:
    if others:
        raise InvalidTensor("a quantized model has one input", "the model", expected=1, found=1 + len(others))
    if numbers.shape != model.input_shape:
        what = "wrong input shape (golden --cases N takes the first N of several)"
        shape = list(numbers.shape)
        raise InvalidTensor(what, "the model", expected=list(model.input_shape), found=shape)
    found = bytearray(numbers.size)
    quantize(numbers.reshape(-1), model.input_scale, model.input_zero, found)
    return _numbers(model, found)


def _numbers(model: int8.Model, found: bytes | bytearray) -> Floats:
    return np.asarray(dequantize(found, model.input_scale, model.input_zero, model.input_shape))


def _without_cases(tensors: Iterable[Tensor]) -> list[Tensor]:
    return [item for item in tensors if not item.name.startswith(PREFIX)]


def _golden(inputs: Iterable[Case], model: Callable[..., Any], judge: Judge) -> list[Tensor]:
    """Return the tensors of the cases, each its inputs and what must be answered to them."""
    cases = list(inputs)
    answers = judge([answers_of(model, case) for case in cases])
    golden = []
    for number, (given, wanted) in enumerate(zip(cases, answers, strict=True)):
        golden += _named(selftest.INPUT + str(number), given)
        golden += _named(selftest.OUTPUT + str(number), wanted)
    return golden


def _named(first: str, arrays: Case) -> list[Tensor]:
    """Return tensors of a case, the first one under that name, the others under numbered ones."""
    names = [first, *(f"{first}.{place}" for place in range(1, len(arrays)))]
    return [
        tensor_from_array(name, np.ascontiguousarray(array, np.float32))
        for name, array in zip(names, arrays, strict=True)
    ]
