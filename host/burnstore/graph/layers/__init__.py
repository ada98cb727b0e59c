"""Which layers there are integers for, and what each of them computes in real numbers.

Each file has the makers of a family: a layer's step becomes an operation. step  what makers share.
"""

from collections.abc import Sequence

from burnpack.errors import Unsupported
from burnrt import nn
from burnrt.trace import Graph, Step
from burnstore.graph.following import Maker, kind_of, network_of
from burnstore.graph.in_floats import InFloats, check_chosen, is_chosen, keep_moves, place_floats
from burnstore.graph.indices import BYTES_MOST
from burnstore.graph.layers.arithmetic import ARITHMETIC
from burnstore.graph.layers.dense import DENSE
from burnstore.graph.layers.each import EACH
from burnstore.graph.layers.norms import NORMS
from burnstore.graph.layers.pooling import POOLS
from burnstore.graph.layers.products import PRODUCTS, check_entries
from burnstore.graph.layers.recurrent import RECURRENT
from burnstore.graph.layers.reducing import REDUCING
from burnstore.graph.layers.resampling import RESAMPLING
from burnstore.graph.layers.rounding import ROUNDING
from burnstore.graph.layers.rows import ROWS
from burnstore.graph.layers.step import around, unsupported
from burnstore.graph.layers.transposed import TRANSPOSED
from burnstore.graph.moves import move_of
from burnstore.graph.network import End, Network
from burnstore.graph.operations import Kept
from burnstore.graph.recurrence import Layered

# Layer: what makes its operation.
INTEGERS: dict[str, Maker] = {**DENSE, **POOLS, **NORMS, **EACH, **ARITHMETIC, **REDUCING, **ROWS}
INTEGERS |= {**PRODUCTS, **RECURRENT, **RESAMPLING, **TRANSPOSED, **ROUNDING}
_ALIASES = ("Flatten", "Unflatten", "Dropout", "Identity")  # which leave no step
_LAST = "LogSoftmax"


def integer_network(graph: Graph, floats: Sequence[str] = ()) -> Network:
    """Return what a followed forward pass computes, for integers.

    floats: patterns of the names of steps that are computed in floats. Raises `NotFound` for one that no step
    has, `Unsupported` for a layer that no integer operation computes, `InvalidTensor` for parameters that
    are not finite.
    """
    check_chosen(graph.steps, floats)

    def kept(step: Step) -> type[Kept] | None:
        return InFloats if is_chosen(step.name, floats) else None

    found = network_of(graph, INTEGERS, kept)
    if any(end.value in found.constants for end in found.outputs):
        raise Unsupported("an answer is the same for every input, which needs no network")
    keep_moves(found)
    rest = []
    for operation in reversed(found.operations.copy()):
        if isinstance(operation, Kept) and not operation.count and not _is_needed(found, operation):
            found.operations.remove(operation)
        elif not operation.count:
            raise Unsupported("what has no numbers can only be joined with others", operation.name)
        elif isinstance(operation, InFloats):
            _check_in_floats(operation)
        elif isinstance(operation, Kept):
            move = move_of(operation)
            if move is None:
                rest.append(operation)
            else:
                found.replace(operation, move)
    _check_all([operation.step for operation in reversed(rest)])
    for operation in rest:
        _end_with(found, operation)
    place_floats(found)
    return found


def _is_needed(found: Network, operation: Kept) -> bool:
    return found.is_output(operation.output) or bool(found.readers(operation.output))


def _check_in_floats(operation: InFloats) -> None:
    """Refuse a part of what can be computed in floats as a whole alone, and indices that bytes can't say."""
    step = operation.step
    if isinstance(step.layer, nn.Embedding):
        check_entries(step, step.layer.weight.shape[0], BYTES_MOST)
    if isinstance(step.layer, Layered):
        whole = operation.name.rpartition(".")[0]
        raise Unsupported(f"all of {whole} can be computed in floats, not one of its layers", operation.name)


def _check_all(steps: Sequence[Step]) -> None:
    """Refuse layers that no integer operation computes, all at once."""
    lacking = [step for step in steps if kind_of(step.layer) != _LAST]
    if not lacking:
        return
    kinds = " ".join(dict.fromkeys(kind_of(step.layer) for step in lacking))
    others = " ".join(step.name for step in lacking[1:])
    also = f", nor for {others}" if others else ""
    options = " ".join(f"--float {step.name}" for step in lacking)
    what = f"there is no integer operation for {kinds}{also}: {options} computes that in floats, and "
    what += "burnstore convert makes a program in floats of all"
    raise Unsupported(what, lacking[0].name, found=type(lacking[0].layer).__name__)


def _end_with(found: Network, operation: Kept) -> None:
    """Leave a LogSoftmax to who reads the answer."""
    step = operation.step
    if found.readers(operation.output):
        raise unsupported(step, "a LogSoftmax can only be the last step")
    _, along, behind = around(step, step.layer)
    shapes = {end.shape[-1:] for end in found.outputs if end.value == operation.output}
    if shapes != {(along,)} or behind != 1:
        raise unsupported(step, "a LogSoftmax can only go along the last dimension")
    found.outputs = [
        End(operation.inputs[0], end.shape, _LAST) if end.value == operation.output else end
        for end in found.outputs
    ]
    found.operations.remove(operation)
