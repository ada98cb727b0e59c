"""What a model of float layers takes while it runs."""

from collections.abc import Sequence

import numpy as np

from burnpack.apply import refusal
from burnpack.errors import Unsupported, printable
from burnpack.module import Module
from burnrt.plan import Plan
from burnstore.boards.fit import heap as costs
from burnstore.boards.fit.forward import Pass, Step, follow
from burnstore.boards.fit.heap import Heap
from burnstore.boards.fit.report import Layer, Loaded, Running, own_tensors
from burnstore.io.container import Container
from burnstore.models.running import answers_of


def by_names(heap: Heap, reader: Container) -> Running:
    """Return what is known without the model's class, by the names of its tensors."""
    own = own_tensors(reader)
    modules = {tensor.name.rpartition(".")[0] for tensor in own}
    return Running(*_loaded(heap, reader, len(own) * heap.param + len(modules) * heap.module))


def by_pass(heap: Heap, reader: Container, model: Module, *shapes: Sequence[int]) -> Running:
    """Load the model, follow a forward pass on inputs of these shapes, and return what it takes.

    Raises `BurnpackError` where the tensors do not fill the model, or where it does not take the input.
    """
    result = model.apply(reader)
    if result.errors or result.missing:
        raise refusal("the tensors do not fit the model", result, reader.source)
    loaded = _loaded(heap, reader, costs.of_model(heap, model))
    try:
        found = follow(model, *shapes)
    except Unsupported as error:
        # What can't be run at all is an error.
        answers_of(model, [np.zeros(shape, np.float32) for shape in shapes])
        return Running(*loaded, unknown=printable(str(error)))
    layers = [_layer(heap, step) for step in found.steps]
    most, block = (max((getattr(layer, name) for layer in layers), default=0) for name in ("most", "block"))
    arena = Plan(model, tuple(shapes[0])).size if len(shapes) == 1 else None
    planned = None if arena is None else _planned(heap, found, arena)
    return Running(*loaded, layers, most, block, arena, planned)


def _layer(heap: Heap, step: Step) -> Layer:
    least, most = (costs.of_values(heap, sizes, step.bound) for sizes in (step.least, step.most))
    return Layer(step.path, step.kind, step.shape, least, most, heap.rounded(step.size))


def _planned(heap: Heap, found: Pass, arena: int) -> int:
    kept = sum(heap.value + heap.rounded(size) for size in found.kept)
    return costs.of_plan(heap, len(found.steps), arena) + costs.of_bound(heap, found.bound) + kept


def _loaded(heap: Heap, reader: Container, empty: int) -> tuple[Loaded, Loaded]:
    """Return what the model takes in flash and from a file. empty: what it takes without its parameters."""
    own = own_tensors(reader)
    largest = max((heap.rounded(tensor.nbytes) for tensor in own), default=0)
    in_flash, in_file = (empty + costs.of_parameters(heap, own, copied) for copied in (False, True))
    return Loaded(in_flash), Loaded(in_file, largest)
