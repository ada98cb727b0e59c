"""The inputs that an exported program was made with."""

from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from burnpack.errors import Malformed
from burnpack.tensor import Tensor
from burnstore.exported.graph import Graph
from burnstore.numerics.arrays import array_from_tensor
from burnstore.pytorch import gather
from burnstore.pytorch.flatten import flatten
from burnstore.pytorch.layout import Entry, place, refusal
from burnstore.pytorch.objects import Refused
from burnstore.pytorch.zipped import load_inside

if TYPE_CHECKING:
    from burnstore.exported.program import ExportedProgram


def read_samples(program: "ExportedProgram", graph: Graph) -> "list[NDArray[Any]] | None":
    """Return the inputs as arrays, in the order of the graph's; None where the archive has none.

    Where other extents were taken for open ones, they are cut; None where they are not enough for that.
    """
    archive = program.archive
    if not archive.has(program.samples) or not archive.record(program.samples).size:
        return None
    checkpoint = load_inside(archive, program.samples, program.limits)
    found = list(flatten(checkpoint.root, program.limits).found.values())
    if len(found) != len(graph.inputs):
        what = "not one sample input for each input"
        raise Malformed(what, f"record {program.samples}", expected=len(graph.inputs), found=len(found))
    arrays = []
    for name, view in zip(graph.inputs, found, strict=True):
        if isinstance(view, Refused):
            raise refusal(name, view.kind)
        entry = place(name, view, checkpoint.storages, program.limits, checkpoint.swapped)
        _check(name, entry, graph)
        array = array_from_tensor(Tensor(name, entry.dtype, entry.shape, gather.read(entry)))
        arrays.append(array[tuple(map(slice, graph.specs[name].shape))] if graph.opened else array)
    specs = [graph.specs[name] for name in graph.inputs]
    if any(array.shape != spec.shape for array, spec in zip(arrays, specs, strict=True)):
        return None
    return arrays


def _check(name: str, entry: Entry, graph: Graph) -> None:
    """Refuse a sample of another kind than the program says; where extents are open, shapes may differ."""
    spec = graph.specs[name]
    same = len(entry.shape) == len(spec.shape) if graph.opened else entry.shape == spec.shape
    if entry.dtype != spec.dtype or not same:
        expected, found = (f"{one.dtype} {one.shape}" for one in (spec, entry))
        raise Malformed("a sample input is no such input", name, expected=expected, found=found)
