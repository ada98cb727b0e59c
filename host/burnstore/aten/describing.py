"""From an exported graph to the description of its class."""

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from burnpack.errors import Unsupported, printable
from burnstore.aten.attention import with_attention
from burnstore.aten.building import Builder
from burnstore.aten.core import with_core
from burnstore.aten.table import HANDLERS
from burnstore.classes.description import Description
from burnstore.exported.graph import Graph, Node, needed


def described(graph: Graph, load: Callable[[str], NDArray[np.float32]], name: str = "") -> Description:
    """Return the class of a graph.

    load: returns the numbers of a parameter of the graph by its name, as floats. name: the class's, where the
    graph does not say it. Raises `Unsupported` for what nothing here computes: all such operations are named.
    """
    graph = replace(graph, nodes=list(graph.nodes), outputs=list(graph.outputs), specs=dict(graph.specs))
    graph.nodes = needed(with_core(graph), graph.outputs)
    builder = Builder(graph, graph.nodes, _class_name(graph) or name or "Net", load)
    nodes = with_attention(builder, graph.nodes)
    _check_known(nodes)
    for node in nodes:
        HANDLERS[node.operation](builder, node)
    found = builder.finish(graph.outputs)
    found.containers = _containers(graph)
    found.notes += graph.notes
    found.notes += [f"{name} is open in the file: {size} is taken" for name, size in graph.opened.items()]
    return found


def _check_known(nodes: list[Node]) -> None:
    unknown = [node for node in nodes if node.operation not in HANDLERS]
    if not unknown:
        return
    counts = Counter(node.operation for node in unknown)
    first = {node.operation: node for node in reversed(unknown)}
    told = [printable(f"{name} ({_where(first[name], count)})") for name, count in counts.items()]
    what = "operations that nothing here computes: " + "; ".join(told)
    raise Unsupported(what, "the graph", found=f"{len(unknown)} of {len(nodes)} operations")


def _where(node: Node, count: int) -> str:
    """Return where an operation is, and how often there is one like it."""
    path = node.places[-1].path if node.places else ""
    parts = [f"in {path}" if path else "", node.source, "" if count == 1 else f"{count} times"]
    return ", ".join(part for part in parts if part) or node.name


def _class_name(graph: Graph) -> str:
    for node in graph.nodes:
        for place in node.places:
            if place.path == "" and "<" not in place.kind:
                return place.kind.rpartition(".")[2]
    return ""


def _containers(graph: Graph) -> dict[str, str]:
    return {place.path: place.kind for node in graph.nodes for place in node.places}
