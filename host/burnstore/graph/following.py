"""From a followed forward pass to a network: a step of a layer becomes an operation."""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import Any

from burnpack.dtype import count
from burnrt import nn
from burnrt.nn.layer import Layer
from burnrt.trace import Graph, Step, Traced
from burnstore.graph.network import End, Network
from burnstore.graph.operations import Kept, Operation

# What makes a layer's operation: from the step, the layer again, and what all operations have.
Maker = Callable[[Step, Any, Any], Operation]

_is_layer = cache(nn.is_layer)  # a table of text, in which each question would be looked up anew

_OWN = ("forward", "bind", "run", "output_shape")  # what a layer of the user's own would do in its own way


def network_of(
    graph: Graph, makers: Mapping[str, Maker], kept: Callable[[Step], type[Kept] | None] = lambda step: None
) -> Network:
    """Return what a followed forward pass computes.

    makers: by the names of layers; the step of another layer is kept as it is. kept: the kind of operation
    that a step is kept as, in any case, or None. Steps that make nothing that
    anybody needs are left out. Raises what a maker raises.
    """
    sizes = dict(enumerate(graph.sizes))
    found = Network(_ends(graph.inputs), _ends(graph.outputs), sizes, constants=graph.constants)
    steps, needed = useful(graph)
    for step in steps:
        found.operations.append(_operation(step, needed, makers.get(kind_of(step.layer)), kept(step)))
    return found


def useful(graph: Graph) -> tuple[list[Step], set[int]]:
    """Return the steps that make what anybody needs, and the numbers of all values that are needed."""
    needed = {value.number for value in graph.outputs}
    steps = []
    for step in reversed(graph.steps):
        if not needed.isdisjoint(value.number for value in step.outputs):
            steps.append(step)
            needed.update(value.number for value in step.inputs)
    return steps[::-1], needed


def maker(value: Traced) -> Step | None:
    """Return the step that makes a value first of all, or None."""
    steps = reversed(value.graph.steps)
    return next((step for step in steps if step.outputs[0].number == value.number), None)


def _ends(values: Iterable[Traced]) -> list[End]:
    return [End(value.number, value.shape) for value in values]


def kind_of(layer: Layer) -> str:
    """Return the name of the layer of `burnrt.nn` that this is, or else the class's own."""
    kind = str(layer.container()).partition(":")[2]
    return kind if _is_layer(kind) and not is_own(layer) else type(layer).__name__


def is_own(layer: Layer) -> bool:
    """Tell whether a layer does something in the user's own way."""
    methods = [getattr(type(layer), name, None) for name in _OWN]
    return any(
        method is not None and not str(getattr(method, "__module__", "")).startswith("burnrt.")
        for method in methods
    )


def _operation(step: Step, needed: set[int], maker: Maker | None, kept: type[Kept] | None) -> Operation:
    common: Any = {
        "name": step.name,
        "inputs": tuple(value.number for value in step.inputs),
        "output": step.output.number,
        "count": count(step.output.shape),
    }
    besides = (value.number for value in step.outputs[1:])
    common["besides"] = tuple(value if value in needed else None for value in besides)
    if maker is None or kept is not None:
        return (kept or Kept)(**common, step=step)
    return maker(step, step.layer, common)
