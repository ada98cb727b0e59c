"""Steps of each number, or of each row of numbers."""

import numpy as np

from burnpack.errors import InvalidTensor
from burnstore.graph.operations import Add, Lookup, Numbers, Operation, Softmax
from burnstore.programs.integers.step import Made, Maker, Step
from burnstore.quantize.rescale import add_words

_POWER_MOST, _POWERS_MOST = 1 << 20, 1 << 28  # of a softmax: one, and those of a row together


def _add(step: Step) -> Made:
    operation: Add = step.operation
    first, second = step.all_given
    factors = (first.scale / step.made.scale, second.scale / step.made.scale)
    found = add_words(factors, (first.zero_point, second.zero_point), step.made.zero_point)
    other = step.memory.offsets[operation.inputs[1]]
    return Made("add", step.words(other, operation.count, *found))


def _lookup(step: Step) -> Made:
    operation: Lookup = step.operation
    answers = operation.function(step.given.numbers(np.arange(256)))
    if not np.isfinite(answers).all():
        raise InvalidTensor("not finite all over the range of what comes in", step.name)
    table = step.made.of(_cut(operation, answers))
    return Made("lookup", step.words(0, operation.count, cut=False), np.asarray(table, np.uint8).tobytes())


def _cut(operation: Operation, numbers: Numbers) -> Numbers:
    return np.clip(numbers, operation.low, operation.high)


def _softmax(step: Step) -> Made:
    operation: Softmax = step.operation
    size = operation.count // operation.rows
    largest = min(_POWER_MOST, _POWERS_MOST // size)
    powers = np.rint(largest * np.exp(-step.given.scale * np.arange(256))).astype(np.int32)
    words = step.words(0, operation.rows, size, cut=False)
    return Made("softmax", words, None, powers)


EACH: dict[type, Maker] = {Add: _add, Lookup: _lookup, Softmax: _softmax}
