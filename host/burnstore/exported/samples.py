"""The inputs that an exported program was made with."""

from typing import Any

from numpy.typing import NDArray

from burnpack.errors import Malformed
from burnpack.tensor import Tensor
from burnstore.exported.archive import load_inside
from burnstore.exported.graph import Graph
from burnstore.exported.program import Program
from burnstore.numerics.arrays import array_from_tensor
from burnstore.pytorch import gather
from burnstore.pytorch.flatten import children
from burnstore.pytorch.layout import place
from burnstore.pytorch.objects import Refused
from burnstore.pytorch.rebuild import TensorView


def sample_inputs(program: Program, graph: Graph) -> "list[NDArray[Any]] | None":
    """Return the inputs as arrays, in the order of the graph's; None where the archive has none."""
    archive = program.archive
    if not archive.has(program.samples) or not archive.record(program.samples).size:
        return None
    checkpoint = load_inside(archive, program.samples, program.limits)
    found = _tensors(checkpoint.root)
    names = graph.inputs
    if len(found) != len(names):
        what = "not one sample input for each input"
        raise Malformed(what, f"record {program.samples}", expected=len(names), found=len(found))
    arrays = []
    for name, view in zip(names, found, strict=True):
        entry = place(name, view, checkpoint.storages, program.limits, checkpoint.swapped)
        tensor = Tensor(name, entry.dtype, entry.shape, gather.read(entry))
        arrays.append(array_from_tensor(tensor))
    return arrays


def _tensors(root: object) -> list[TensorView]:
    """Return the tensors in tuples, lists and dicts, in their order."""
    found = []
    pending = [root]
    while pending:
        value = pending.pop()
        if isinstance(value, Refused):
            raise Malformed(f"a sample input is {value.kind}")
        if isinstance(value, TensorView):
            found.append(value)
        else:
            pending.extend(reversed([child for _, child in children(value)[1]]))
    return found
