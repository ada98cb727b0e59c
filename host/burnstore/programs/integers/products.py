"""Steps of products of matrices, of softmax with a mask, and of tables of vectors."""

import numpy as np

from burnstore.graph.operations import Embedding, MaskedSoftmax, Matmul
from burnstore.programs.integers.each import powers
from burnstore.programs.integers.step import Made, Maker, Step
from burnstore.quantize.calibrate import MIDDLE
from burnstore.quantize.rescale import word
from burnstore.quantize.weights import integers


def _matmul(step: Step) -> Made:
    operation: Matmul = step.operation
    first, second = step.all_given
    halved = 1 if second.zero_point == MIDDLE else 2
    factor = operation.factor * first.scale * second.scale * halved / step.made.scale
    (work,) = step.memory.work[operation.output]
    zeros = first.zero_point, second.zero_point
    other = step.memory.offsets[operation.inputs[1]] + operation.start
    numbers = (work, *zeros, word(factor), operation.step, *operation.extents, *operation.steps)
    return Made("matmul", step.words(other, *numbers))


def _masked(step: Step) -> Made:
    operation: MaskedSoftmax = step.operation
    period, size = operation.shown.shape
    words = step.words(0, operation.rows, size, period, cut=False)
    bits = np.packbits(operation.shown, axis=1, bitorder="little")
    return Made("masked_softmax", words, bits.tobytes(), powers(step.given, size))


def _embedding(step: Step) -> Made:
    table = step.operation.table
    nothing = np.zeros(len(table))
    is_wide, count = int(step.given.width == 2), step.operation.count // table.shape[1]
    found = integers(f"{step.name}.weight", table, nothing, step.given, "tensor", table.shape)
    return Made("embedding", step.words(is_wide, count, *table.shape[::-1], cut=False), found.tensor)


PRODUCTS: dict[type, Maker] = {Matmul: _matmul, MaskedSoftmax: _masked, Embedding: _embedding}
