"""Products of matrices, softmax with a mask, and tables of vectors."""

from typing import Any

import numpy as np

from burnpack.dtype import count
from burnpack.errors import Unsupported
from burnrt.functional.broadcasting import joined, steps_of
from burnrt.trace import Step, Traced
from burnstore.graph.constants import constant, is_constant
from burnstore.graph.following import Maker
from burnstore.graph.layers.step import parameter, unsupported
from burnstore.graph.operations import (
    Convolution,
    Embedding,
    Linear,
    MaskedSoftmax,
    Matmul,
    Numbers,
    Operation,
    Window,
)

_ENTRIES_MOST = 65536  # of a table: what 16 bits name


def _matmul(step: Step, layer: Any, common: Any) -> Operation:
    """Return the operation of products; of a matrix that is the same in each run, what has it as a weight."""
    first, second = (_kept(step, value) for value in step.inputs)
    factor = getattr(layer, "factor", 1.0)
    if second is not None and first is None and count(second.shape[:-2]) == 1:
        weight = second.reshape(second.shape[-2:]) * factor
        return _dense(common, weight if layer.second_turned else weight.T)
    if first is not None and second is None and count(first.shape[:-2]) == 1:
        return _beside(step, layer, common, first.reshape(first.shape[-2:]) * factor)
    if first is not None or second is not None:
        raise unsupported(step, "products with several matrices that stay the same")
    return _products(step, layer, common, factor)


def _products(step: Step, layer: Any, common: Any, factor: float) -> Operation:
    shapes = [value.shape for value in step.inputs]
    lines, columns = step.output.shape[-2:]
    inner = shapes[0][-1]
    lead = step.output.shape[:-2]
    steps = [[count(shape[-2:]) * each for each in steps_of(shape[:-2], len(lead))] for shape in shapes]
    together, (ours, theirs) = joined(lead, *steps)
    if len(together) > 1:
        raise unsupported(step, "matrices that are broadcast along some of several dimensions")
    matrices, own, other = together[0], ours[0], theirs[0]
    if other == 0 and own == lines * inner:  # one matrix for all of them
        matrices, lines, own = 1, matrices * lines, 0
    within = (1, inner) if layer.second_turned else (columns, 1)
    extents = matrices, lines, inner, columns
    return Matmul(**common, extents=extents, step=own, steps=(other, *within), factor=factor)


def _dense(common: Any, weight: Numbers) -> Operation:
    common["inputs"] = common["inputs"][:1]
    bias = np.zeros(len(weight))
    return Linear(**common, rows=common["count"] // len(weight), weight=weight, bias=bias)


def _beside(step: Step, layer: Any, common: Any, weight: Numbers) -> Operation:
    """Return the product of a matrix with what comes in, whose rows are channels."""
    value = step.inputs[1]
    if count(value.shape[:-2]) != 1 or layer.second_turned:
        raise unsupported(step, "a matrix that stays the same, in front of several")
    common["inputs"] = common["inputs"][1:]
    size = (1, value.shape[-1])
    window = Window(size, size, (1, 1))
    bias = np.zeros(len(weight))
    return Convolution(**common, window=window, groups=1, weight=weight[:, :, None, None], bias=bias)


def _kept(step: Step, value: Traced) -> Numbers | None:
    """Return the numbers of a value that is the same in each run, or None."""
    return constant(step, value).reshape(value.shape) if is_constant(value) else None


def _masked(step: Step, layer: Any, common: Any) -> Operation:
    return MaskedSoftmax(**common, rows=count(step.output.shape[:-1]), shown=layer.shown)


def _embedding(step: Step, layer: Any, common: Any) -> Operation:
    table = parameter(step, "weight")
    check_entries(step, len(table), _ENTRIES_MOST)
    return Embedding(**common, table=table)


def check_entries(step: Step, entries: int, most: int) -> None:
    """Refuse a table of more entries than indices can say."""
    if entries > most:
        what = f"a table of {entries:,} vectors: there can be {most:,}"
        raise Unsupported(what, step.name, found=type(step.layer).__name__)


def _rows(step: Step, layer: Any, common: Any) -> Operation:
    """Return the operation of `functional.linear`, whose weight is (out, in)."""
    weight = parameter(step, "weight").reshape(layer.outputs, layer.inputs)
    bias = np.zeros(len(weight)) if layer.bias is None else parameter(step, "bias").reshape(-1)
    return Linear(**common, rows=common["count"] // len(weight), weight=weight, bias=bias)


PRODUCTS: dict[str, Maker] = {
    "Matmul": _matmul,
    "Scores": _matmul,
    "MaskedSoftmax": _masked,
    "Rows": _rows,
    "Embedding": _embedding,
}
