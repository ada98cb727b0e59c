"""What a model of float layers takes while it runs."""

from collections.abc import Sequence

from burnpack.errors import LoadFailed, Unsupported
from burnpack.module import Module
from burnstore.container import Container
from burnstore.fit import heap as costs
from burnstore.fit.forward import steps
from burnstore.fit.heap import Heap
from burnstore.fit.report import Layer, Loaded, Running, own_tensors


def by_names(heap: Heap, reader: Container) -> Running:
    """Return what is known without the model's class, by the names of its tensors."""
    own = own_tensors(reader)
    modules = {tensor.name.rpartition(".")[0] for tensor in own}
    return Running(*_loaded(heap, reader, len(own) * heap.param + len(modules) * heap.module))


def by_pass(heap: Heap, reader: Container, model: Module, *shapes: Sequence[int]) -> Running:
    """Load the model, watch a forward pass on inputs of these shapes, and return what it takes.

    Raises `BurnpackError` where the tensors do not fill the model, or where it does not take the input.
    """
    result = model.apply(reader)
    if result.errors or result.missing:
        raise LoadFailed("the tensors do not fit the model\n" + str(result), None, reader.source)
    layers = [
        Layer(step.path, step.kind, step.shape, costs.of_values(heap, step.live), heap.rounded(step.size))
        for step in steps(model, *shapes)
    ]
    loaded = _loaded(heap, reader, costs.of_model(heap, model))
    peak = max((layer.heap for layer in layers), default=0)
    block = max((layer.block for layer in layers), default=0)
    arena = _arena(model, *shapes)
    planned = None if arena is None else costs.of_plan(heap, len(layers), arena)
    return Running(*loaded, layers, peak, block, arena, planned)


def _loaded(heap: Heap, reader: Container, empty: int) -> tuple[Loaded, Loaded]:
    """Return what the model takes in flash and from a file. empty: what it takes without its parameters."""
    own = own_tensors(reader)
    largest = max((heap.rounded(tensor.nbytes) for tensor in own), default=0)
    in_flash, in_file = (empty + costs.of_parameters(heap, own, copied) for copied in (False, True))
    return Loaded(in_flash), Loaded(in_file, largest)


def _arena(model: Module, *shapes: Sequence[int]) -> int | None:
    """Return the bytes of the plan's arena; None for a model that can't be planned."""
    plan = getattr(model, "plan", None)
    if plan is None or len(shapes) != 1:
        return None
    try:
        return int(plan(tuple(shapes[0])).size)
    except Unsupported:
        return None
