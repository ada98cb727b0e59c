"""Steps of each number, or of each row of numbers."""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from burnpack.errors import InvalidTensor, Unsupported
from burnstore.graph.operations import (
    Add,
    Broadcast,
    Lookup,
    LookupEach,
    Numbers,
    Operation,
    Product,
    Softmax,
    Sum,
)
from burnstore.programs.integers.step import Made, Maker, Step
from burnstore.quantize.calibrate import OF_SHARES, Bytes, bytes_of
from burnstore.quantize.rescale import add_words, product_words

_POWER_MOST, _POWERS_MOST = 1 << 20, 1 << 28  # of a softmax: one, and those of a row together


def _add(step: Step) -> Made:
    operation: Add = step.operation
    first, second = step.all_given
    factors = _factors(step, operation.factors, (first, second))
    found = add_words(factors, (first.zero_point, second.zero_point), step.made.zero_point)
    other = step.memory.offsets[operation.inputs[1]]
    return Made("add", step.words(other, operation.count, *found))


def _factors(step: Step, factors: tuple[float, float], given: tuple[Bytes, Bytes]) -> tuple[float, float]:
    """Return the factors of steps of the output."""
    first, second = (
        factor * each.scale / step.made.scale for factor, each in zip(factors, given, strict=True)
    )
    return first, second


def _sum(step: Step) -> Made:
    operation: Sum = step.operation
    second, weight, more = _second(step)
    zeros = step.given.zero_point, second.zero_point
    factors = _factors(step, operation.factors, (step.given, second))
    found = add_words(factors, zeros, step.made.zero_point)
    return Made("add_strided", [*_row(step, more, found), *more[1:]], weight)


def _product(step: Step) -> Made:
    second, weight, more = _second(step)
    factor = step.given.scale * second.scale / step.made.scale
    bias, shift, scaled = product_words(factor, step.made.zero_point)
    found = [step.given.zero_point, second.zero_point, bias, shift]
    return Made("multiply_strided", [*_row(step, more, found), *more[1:], scaled], weight)


def _row(step: Step, more: list[int], found: list[int]) -> list[int]:
    return step.words(more[0], step.operation.extents[2], *found)


def _second(step: Step) -> tuple[Bytes, bytes | None, list[int]]:
    """Return what the second operand's bytes stand for, these if it is kept, and OTHER, PLANES to KEPT."""
    operation: Broadcast = step.operation
    walk = [*operation.extents[:2], *operation.steps[0][:2], *operation.steps[1]]
    if operation.kept is None:
        return step.all_given[1], None, [step.memory.offsets[operation.inputs[1]], *walk, 0]
    found = bytes_of(operation.kept.min(), operation.kept.max())
    return found, found.of(operation.kept).tobytes(), [0, *walk, 1]


def _lookup(step: Step) -> Made:
    operation: Lookup = step.operation
    return Made("lookup", step.words(0, operation.count, cut=False), _table(step, operation.function))


def _lookup_each(step: Step) -> Made:
    operation: LookupEach = step.operation
    tables = len(operation.functions)
    words = step.words(0, operation.count // tables, tables, cut=False)
    return Made("lookup_each", words, b"".join(_table(step, function) for function in operation.functions))


def _table(step: Step, function: Callable[[Numbers], Numbers]) -> bytes:
    answers = _known(function(step.given.numbers(np.arange(256))), step.name)
    return step.made.of(_cut(step.operation, answers)).tobytes()


def _known(answers: Numbers, name: str) -> Numbers:
    """Return the answers, and of what has none that of the number next to it which has one.

    Samples never gave such numbers: they lie between 0, which every range has, and the least of the samples.
    """
    known = np.flatnonzero(~np.isnan(answers))
    if not len(known):
        raise InvalidTensor("no number all over the range of what comes in", name)
    found: Numbers = answers[known[np.abs(np.arange(len(answers))[:, None] - known).argmin(1)]]
    return found


def _cut(operation: Operation, numbers: Numbers) -> Numbers:
    return np.clip(numbers, operation.low, operation.high)


def _softmax(step: Step) -> Made:
    operation: Softmax = step.operation
    if step.made != OF_SHARES:
        raise Unsupported("a state can't be what a softmax makes, in integers", step.name)
    size = operation.count // operation.rows
    words = step.words(0, operation.rows, size, cut=False)
    return Made("softmax", words, None, powers(step.given, size))


def powers(given: Bytes, size: int) -> NDArray[np.int32]:
    """Return e to what each byte lies below the largest of a row, of `size` numbers, by a common factor."""
    largest = min(_POWER_MOST, _POWERS_MOST // size)
    found: NDArray[np.int32] = np.rint(largest * np.exp(-given.scale * np.arange(256))).astype(np.int32)
    return found


EACH: dict[type, Maker] = {
    Add: _add,
    Sum: _sum,
    Product: _product,
    Lookup: _lookup,
    LookupEach: _lookup_each,
    Softmax: _softmax,
}
