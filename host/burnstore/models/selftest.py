"""Golden inputs and outputs for the self-test on the board.

    name                   what
    selftest.input.N       tensor, F32, U8 or U16: the input of case N = 0, 1, ..., the batch first
    selftest.input.N.K     the same, of a model with several: its input K = 1, 2, ...; input 0 is above
    selftest.output.N      tensor, F32 or U8: what the model must answer, found on this computer or elsewhere
    selftest.output.N.K    the same, of a model with several answers
    selftest.tolerance     scalar, Float: how far a number may be off, as a part of it, or of 1 if it is less

U8 is what the bytes of a program's input or output are, where these stand for the very numbers of the case,
and U16 what its indices of 16 bits are, always.
A model's states are zeros at the beginning of each case. No parameter of a model has such a name, so loading
leaves these tensors out.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain, repeat
from math import prod
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from burnpack.apply import refusal
from burnpack.errors import InvalidTensor, printable
from burnpack.module import Module
from burnpack.reader import Reader
from burnpack.tensor import Tensor
from burnrt import Model
from burnrt.model import End
from burnstore.io.beside import SELFTEST
from burnstore.io.container import Container
from burnstore.models.ends import Floats, integers_of, numbers_of
from burnstore.models.program import steps_of
from burnstore.models.running import Answers, answers_of, begin
from burnstore.numerics.arrays import array_from_tensor, tensor_from_array

PREFIX = SELFTEST
INPUT, OUTPUT = PREFIX + "input.", PREFIX + "output."
TOLERANCE = PREFIX + "tolerance"
DEFAULT_TOLERANCE = 1e-4  # 32-bit floats, added up in another order
EXACT = 0.0
_STEPS = 4  # of an output's bytes: where floats become bytes, half a step may go either way
NO_STATES: Mapping[int, int] = MappingProxyType({})
_ENDS_MOST = 100  # inputs, and outputs, that a model may have here

Arrays = list[NDArray[Any]]
Case = Sequence[Floats]  # a model's inputs, or its outputs
Scalars = list[tuple[str, Any]]
# From what a model answers to each case to what it must answer; raises `BurnpackError` where it should not.
Judge = Callable[[list[Answers]], Iterable[Case]]


def with_golden(
    tensors: Iterable[Tensor],
    model: Module,
    inputs: Iterable[Any],
    tolerance: float = DEFAULT_TOLERANCE,
    judge: Judge = list,
    tell: Callable[[str], None] | None = None,
    states: Mapping[int, int] = NO_STATES,
) -> tuple[list[Tensor], Scalars]:
    """Return `tensors` with the cases' tensors behind them, and the scalars to save with them.

    tensors: a whole model's; cases that are among them already are left out.
    model: takes the tensors' data, then answers. inputs: a case each: an array, its batch first, or a list or
    tuple of the model's inputs. judge: gives the answers that are written; without one they are the model's.
    tolerance: how far a number may be off, as a part of it, or of 1 where it is smaller.
    tell: is given a line on tensors that the model does not compute with, where there are any.
    states: of inputs that the cases leave to the program of the file, which has zeros for them, {place of the
    input: place of the output that it becomes}, which they leave out as well.
    Raises `BurnpackError` where the tensors don't fill the model, or where it does not take an input.
    """
    own = _without_cases(tensors)
    result = model.apply(own)
    if result.errors or result.missing:
        raise refusal("the tensors do not fill the model", result, None)
    if result.unused and tell is not None:
        tell(f"the model has no place for: {printable(', '.join(result.unused))}")
    cases = [_case(given) for given in inputs]
    answers = [answers_of(model, _begun(case, states)) for case in cases]
    golden = _golden(_without(cases, states), judge(_without(answers, states.values())))
    return own + golden, [(TOLERANCE, float(tolerance))]


def with_program_golden(
    container: Reader,
    model: Model,
    inputs: Iterable[Any],
    tolerance: float | None = None,
    judge: Judge = list,
) -> tuple[list[Tensor], Scalars]:
    """Return the same of an opened file whose program is `model`.

    Inputs of bytes are moved to the nearest that bytes stand for. Boards then find the same bytes, and answer
    exactly the same, unless some is computed in floats: without a tolerance none is allowed, or the usual.
    """
    if tolerance is None:
        tolerance = _tolerance(container, model)
    cases = [_taken(model, _case(given)) for given in inputs]
    answers = judge([_first_answers(model, case) for case in cases])
    golden = _golden(cases, answers, (model.inputs, model.outputs))
    return _without_cases(container) + golden, [(TOLERANCE, float(tolerance))]


def _tolerance(container: Reader, model: Model) -> float:
    """Return how far a board may be off: where bytes are made of floats, by some steps between bytes."""
    if not all(end.scale is not None and not end.last for end in model.outputs):
        return DEFAULT_TOLERANCE
    if all(kernel.startswith("int8.") for kernel, _ in steps_of(container)):
        return EXACT
    return max(DEFAULT_TOLERANCE, *(_STEPS * (end.scale or 0.0) for end in model.outputs))


def golden_of(container: Container, model: Any = None) -> tuple[list[Arrays], list[Arrays]]:
    """Return the inputs of a file's cases, and the answers to them.

    model: a program says what bytes stand for. Raises `NotFound` for half a case, `InvalidTensor` for bytes
    that are not the program's.
    """
    inputs, outputs = (model.inputs, model.outputs) if isinstance(model, Model) else ((), ())
    given: list[Arrays] = []
    wanted: list[Arrays] = []
    while f"{INPUT}{len(given)}" in container:
        number = str(len(given))
        for found, first, ends in ((wanted, OUTPUT + number, outputs), (given, INPUT + number, inputs)):
            names = [first, *(name for name in _numbered(first) if name in container)]
            tensors = map(container.tensor, names)
            found.append([_read(*each) for each in zip(tensors, chain(ends, repeat(None)), strict=False)])
    return given, wanted


def _read(tensor: Tensor, end: End | None) -> NDArray[Any]:
    """Return the numbers of a tensor of a case."""
    if tensor.dtype not in ("U8", "U16"):
        return array_from_tensor(tensor)
    check_tensor(tensor, end)
    return numbers_of(end, bytes(tensor.data()))  # type: ignore[arg-type] # these are refused without one


def check_tensor(tensor: Tensor, end: End | None) -> None:
    """Refuse a tensor of a case that is not of the input or output `end`.

    It is F32, or U8 where that has bytes; U16 of indices alone.
    """
    dtypes: tuple[str, ...] = ("F32", "U8") if end is not None and _has_bytes(end) else ("F32",)
    dtypes = ("U16",) if end is not None and end.width > 1 else dtypes
    shape = tensor.shape if end is None else end.shape
    if tensor.dtype not in dtypes or tensor.shape != shape:
        expected, found = f"{' or '.join(dtypes)} {list(shape)}", f"{tensor.dtype} {list(tensor.shape)}"
        raise InvalidTensor("a case is not the model's", tensor.name, expected=expected, found=found)


def _has_bytes(end: End) -> bool:
    """Tell whether the numbers of an input or output are what its bytes stand for."""
    return end.scale is not None and not end.last


def _numbered(first: str) -> Iterator[str]:
    return (f"{first}.{place}" for place in range(1, _ENDS_MOST))


def tolerance_of(container: Container) -> float:
    """Return how far a board may be off in a file's cases."""
    found = dict(container.scalars()).get(TOLERANCE)
    return found[1] if found is not None and found[0] == "Float" else DEFAULT_TOLERANCE


def any_input(model: Model, seed: int) -> list[Floats]:
    """Return inputs of a program: of any bytes, or of noise from 0 to 1."""
    generator = np.random.default_rng(seed)
    return [_any(end, generator) for end in model.inputs]


def _any(end: End, generator: np.random.Generator) -> Floats:
    if end.scale is None:
        return generator.random(end.shape, np.float32)
    return numbers_of(end, generator.bytes(end.width * prod(end.shape)))


def _case(given: Any) -> Case:
    arrays = given if isinstance(given, (list, tuple)) else [given]
    return [np.ascontiguousarray(array, np.float32) for array in arrays]


def _taken(model: Model, case: Case) -> Case:
    """Return the inputs that a program will find."""
    if len(case) != len(model.inputs):
        what = "the model takes another number of inputs"
        raise InvalidTensor(what, "the model", expected=len(model.inputs), found=len(case))
    return [_on_bytes(end, numbers) for end, numbers in zip(model.inputs, case, strict=True)]


def _on_bytes(end: End, numbers: Floats) -> Floats:
    if numbers.shape != end.shape:
        what = "wrong input shape (golden --cases N takes the first N of several)"
        shape = list(numbers.shape)
        raise InvalidTensor(what, "the model", expected=list(end.shape), found=shape)
    return numbers if end.scale is None else numbers_of(end, integers_of(end, numbers))


def _without_cases(tensors: Iterable[Tensor]) -> list[Tensor]:
    return [item for item in tensors if not item.name.startswith(PREFIX)]


def _golden(
    cases: Iterable[Case], answers: Iterable[Case], ends: tuple[Sequence[End], Sequence[End]] = ((), ())
) -> list[Tensor]:
    """Return the tensors of the cases, each its inputs and what must be answered to them.

    ends: the inputs and outputs of a program.
    """
    golden = []
    for number, (given, wanted) in enumerate(zip(cases, answers, strict=True)):
        golden += _named(INPUT + str(number), given, ends[0])
        golden += _named(OUTPUT + str(number), wanted, ends[1])
    return golden


def _first_answers(model: Model, case: Case) -> Answers:
    begin(model)
    return answers_of(model, case)


def _begun(case: Case, states: Collection[int]) -> Case:
    """Return the inputs of a first run."""
    return [np.zeros_like(each) if place in states else each for place, each in enumerate(case)]


def _without(cases: Iterable[Case], places: Collection[int]) -> list[Answers]:
    """Return the arrays of each case but those at some places."""
    return [[each for place, each in enumerate(case) if place not in places] for case in cases]


def _named(first: str, arrays: Case, ends: Sequence[End]) -> list[Tensor]:
    """Return tensors of a case, the first one under that name, the others under numbered ones."""
    names = [first, *(f"{first}.{place}" for place in range(1, len(arrays)))]
    given = zip(names, arrays, chain(ends, repeat(None)), strict=False)
    return [tensor_from_array(name, _stored(array, end)) for name, array, end in given]


def _stored(array: Floats, end: End | None) -> NDArray[Any]:
    """Return numbers as a file holds them: as bytes where these stand for the very same."""
    numbers = np.ascontiguousarray(array, np.float32)
    if end is None or not _has_bytes(end) or numbers.shape != end.shape:
        return numbers
    found = integers_of(end, numbers)
    is_same = np.array_equal(numbers_of(end, found), numbers)
    kind = np.uint8 if end.width == 1 else np.uint16
    return np.frombuffer(found, kind).reshape(end.shape) if is_same else numbers
