"""A model's answers, compared with answers from elsewhere, such as PyTorch's.

A number's deviation is measured as the self-test on a board does: as a part of the number that is expected,
or of 1 where that is smaller. What is no number, and what is infinite, must be the same.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np
from numpy.typing import NDArray

from burnpack.errors import InvalidTensor
from burnrt import Model
from burnstore.io.container import Container
from burnstore.io.files import PathLike
from burnstore.models.given import INPUT, OUTPUT, Arrays, answers_in_rows, cases_in, check_inputs, in_rows
from burnstore.models.program import is_integer
from burnstore.models.running import Answers, answers_of, begin, inputs_of
from burnstore.models.selftest import DEFAULT_TOLERANCE
from burnstore.pipeline.options import shapes_of

_INTEGERS = (
    "(the report of burnstore quantize says what integers cost, and --tolerance allows more: numbers are off "
    "by more where layers are many, or inputs unlike those that it was calibrated with)"
)
STEPS = 4  # of a quantized model's output, which has 255: what a good one is off by, twice
TIMES = 2  # what a model was off by at most when it was quantized: other inputs may be off by more
DEVIATION = "quantized.deviation"  # the scalar of a file that says so: see `quantize.measure.Answers.worst`

Given = NDArray[Any]


@dataclass(frozen=True)
class Deviation:
    """A number that is off: by how much, in which case, output and place of that, expected and found."""

    size: float
    case: int
    output: int
    index: tuple[int, ...]
    expected: float
    found: float


@dataclass(frozen=True)
class Comparison:
    """What became of a comparison. `print` shows it.

    cases, numbers: how many were compared.
    worst: the number that is off most; None where none is off.
    tolerance: what was allowed.
    rows, agreeing: of what may be scores, and how many of them are largest in the same place as expected.
    scale: what a step of a quantized model's output stands for, the largest of several; None of others.
    usual: `TIMES` what a quantized model's file says of how far it is off, where that was asked for, or 0.
    """

    cases: int
    numbers: int
    worst: Deviation | None
    tolerance: float
    rows: int
    agreeing: int
    scale: float | None = None
    usual: float = 0.0

    @property
    def largest(self) -> float:
        """The largest deviation."""
        return self.worst.size if self.worst else 0.0

    @property
    def passed(self) -> bool:
        """Whether all numbers are within the tolerance."""
        return self.largest <= self.tolerance

    def __str__(self) -> str:
        cases = "1 case" if self.cases == 1 else f"{self.cases:,} cases"
        verdict = "as expected" if self.passed else "NOT as expected"
        allowed = f"{self.tolerance:.2g}"
        if self.scale is not None:
            allowed += (
                f", {self.tolerance / self.scale:.3g} steps of {self.scale:.3g}, the scale of the output"
            )
        if self.tolerance == self.usual:
            allowed += f": {TIMES} times what it was off by when it was quantized"
        lines = [
            f"{verdict}: {self.numbers:,} numbers in {cases}, "
            f"largest deviation {self.largest:.2g} (allowed: {allowed})"
        ]
        if self.worst is not None:
            worst = self.worst
            where = f"case {worst.case}, output {worst.output} at {list(worst.index)}"
            lines.append(f"{where}: expected {worst.expected:.9g}, found {worst.found:.9g}")
        if self.rows:
            part = 100 * self.agreeing / self.rows
            lines.append(f"same argmax: {self.agreeing:,} of {self.rows:,} rows ({part:.2f} %)")
        if self.scale is not None and not self.passed:
            lines.append(_INTEGERS)
        return "\n".join(lines)


def verify(
    model: Any,
    inputs: Given | Sequence[Given],
    expected: Given | Sequence[Given],
    tolerance: float | None = None,
) -> Comparison:
    """Compare what a loaded model answers with what is expected.

    model: a `burnrt.nn.Module` with its weights, or a `burnrt.Model`.
    inputs, expected: an array, or a list or tuple of arrays: the model's inputs and outputs, in order. Of a
        quantized model, whose batch is one, each row is a case. Rows are one stream for a model with states,
        which are zeros before the first.
    tolerance: what part of a number, or of 1 where that is smaller, it may be off. None is 1e-4, and for a
        quantized model four steps of its output.

    Raises `BurnpackError` where the model does not take the inputs, or answers in other shapes.
    """
    given, wanted = as_rows(model, [_listed(inputs)]), _answers_as_rows(model, [_listed(expected)])
    most = rows_apart(model, given)
    found = answered(model, given, most)
    return compare(model, in_rows(given, most), found, answers_in_rows(given, wanted, most), tolerance)


def verify_files(
    model: Any,
    inputs: Sequence[PathLike],
    expected: Sequence[PathLike],
    tolerance: float | None = None,
    most: int | None = None,
    measured: float = 0.0,
) -> Comparison:
    """Compare the same with what is in files: see `given`.

    most: how many rows of each array are run, each apart; None: all, apart only where they must be.
    measured: see `compare`.
    """
    given = as_rows(model, cases_in(inputs, INPUT, inputs_of(model)))
    most = most or rows_apart(model, given)
    found = answered(model, given, most)
    answers = _answers_as_rows(model, cases_in(expected, OUTPUT, len(found[0])))
    wanted = answers_in_rows(given, answers, most)
    return compare(model, in_rows(given, most), found, wanted, tolerance, measured)


def usual_tolerance(model: Any, measured: float = 0.0) -> float:
    """Return how far answers may be off if nothing is said.

    Of a quantized model, `STEPS` of its output, or if that is more, `TIMES` what it is known to be off.
    """
    scale = _scale(model)
    return DEFAULT_TOLERANCE if scale is None else max(STEPS * scale, TIMES * measured)


def measured_of(container: Container) -> float:
    """Return how far a quantized model was off at most when it was made; 0 where the file does not say."""
    kind, number = dict(container.scalars()).get(DEVIATION, ("Float", 0.0))
    return number if kind == "Float" and isfinite(number) and number > 0 else 0.0


def answered(model: Any, given: Sequence[Arrays], most: int | None) -> list[Answers]:
    """Return what a model answers to each case, or to each of the cases' first `most` rows.

    The rows of a case are one stream: states are zeros before the first, and go from each to the next.
    """
    for arrays in given:
        check_inputs(arrays)
    found = []
    for arrays in given:
        begin(model)
        found += [answers_of(model, row) for row in in_rows([arrays], most)]
    return found


def as_rows(model: Any, given: Sequence[Arrays]) -> list[Arrays]:
    """Return inputs of which each row is a whole one, (count, 1, ...), as rows (count, ...).

    So `quantize` takes samples, too.
    """
    return [_without_batches(arrays, _shapes(model)) for arrays in given]


def _answers_as_rows(model: Any, answers: Sequence[Arrays]) -> list[Arrays]:
    shapes = [end.shape for end in model.outputs] if isinstance(model, Model) else []
    return [_without_batches(arrays, shapes) for arrays in answers]


def _without_batches(arrays: Arrays, shapes: Sequence[tuple[int, ...]]) -> Arrays:
    if len(arrays) != len(shapes):
        return arrays
    return [
        array.reshape(len(array), *shape[1:]) if shape[:1] == (1,) and array.shape[1:] == shape else array
        for array, shape in zip(arrays, shapes, strict=True)
    ]


def rows_apart(model: Any, given: Sequence[Arrays]) -> int | None:
    """Return how many rows are run apart, where a model's batch is one and larger ones are given, or None."""
    shapes = _shapes(model)
    if not shapes or any(not shape or shape[0] != 1 for shape in shapes):
        return None
    fits = all([array.shape for array in arrays] == shapes for arrays in given)
    return None if fits else sys.maxsize


def _shapes(model: Any) -> list[tuple[int, ...]]:
    """Return the shapes of the inputs that a program is for, or a class says that it is; none of others."""
    if isinstance(model, Model):
        return [end.shape for end in model.inputs]
    try:
        return list(shapes_of(getattr(type(model), "input_shape", None)))
    except TypeError:
        return []


def compare(
    model: Any,
    inputs: Sequence[Arrays],
    found: Sequence[Answers],
    expected: Sequence[Arrays],
    tolerance: float | None = None,
    measured: float = 0.0,
) -> Comparison:
    """Return how far a model's answers to inputs are off.

    tolerance: else that of `usual_tolerance`. measured: what that takes.
    Raises `InvalidTensor` for another number of cases or answers, and other shapes.
    """
    if len(found) != len(expected):
        what = "another number of cases is expected than there are inputs for"
        raise InvalidTensor(what, "the answers", expected=len(expected), found=len(found))
    worst, numbers, rows, agreeing = None, 0, 0, 0
    for case, (given, answers, wanted) in enumerate(zip(inputs, found, expected, strict=True)):
        _check_shapes(case, answers, wanted)
        for output, (answer, right) in enumerate(zip(answers, wanted, strict=True)):
            off = deviations(answer, right)
            here = _worst(case, output, answer, right, off)
            worst = max(filter(None, (worst, here)), key=lambda deviation: deviation.size, default=None)
            numbers += off.size
            if may_be_scores(answer.shape, [array.shape for array in given]):
                rows += len(answer)
                agreeing += int((answer.argmax(1) == right.argmax(1)).sum())
    allowed = usual_tolerance(model, measured) if tolerance is None else tolerance
    usual = TIMES * measured if tolerance is None else 0.0
    return Comparison(len(found), numbers, worst, allowed, rows, agreeing, _scale(model), usual)


def _scale(model: Any) -> float | None:
    """Return what a step of the answers stands for, the largest of several; None where they are floats."""
    return max(float(end.scale or 0) for end in model.outputs) if is_integer(model) else None


def deviations(found: Given, expected: Given) -> NDArray[np.float64]:
    """Return of each number how far it is off: as the self-test on a board measures it."""
    left, right = np.asarray(found, np.float64), np.asarray(expected, np.float64)
    with np.errstate(invalid="ignore", over="ignore"):
        off = np.asarray(np.abs(left - right) / np.maximum(1.0, np.abs(right)))
    off[np.isnan(off)] = np.inf
    off[(left == right) | (np.isnan(left) & np.isnan(right))] = 0.0
    return off


def may_be_scores(shape: tuple[int, ...], inputs: Sequence[tuple[int, ...]]) -> bool:
    """Tell whether an output may be scores: (batch, classes), 2 at least, and not the input made anew."""
    return len(shape) == 2 and shape[0] > 0 and shape[1] > 1 and shape not in inputs


def _worst(
    case: int, output: int, found: Given, expected: Given, off: NDArray[np.float64]
) -> Deviation | None:
    if not off.size or not off.max():
        return None
    index = tuple(int(place) for place in np.unravel_index(off.argmax(), off.shape))
    return Deviation(float(off[index]), case, output, index, float(expected[index]), float(found[index]))


def _check_shapes(case: int, found: Answers, expected: Arrays) -> None:
    if len(found) != len(expected):
        what = "the model answers with another number of values"
        raise InvalidTensor(what, f"case {case}", expected=len(expected), found=len(found))
    for output, (answer, wanted) in enumerate(zip(found, expected, strict=True)):
        if answer.shape != wanted.shape:
            what, item = "the model's answer has another shape", f"case {case}, output {output}"
            raise InvalidTensor(what, item, expected=list(wanted.shape), found=list(answer.shape))


def _listed(arrays: Any) -> Arrays:
    several = isinstance(arrays, (list, tuple)) and all(hasattr(array, "shape") for array in arrays)
    return [np.asarray(array) for array in (arrays if several else [arrays])]
