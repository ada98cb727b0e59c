"""Attention as PyTorch's module spells it: the layer, where all of the module's operations are that."""

from typing import Any

from burnstore.aten.building import Builder
from burnstore.classes.description import LayerOf
from burnstore.exported.graph import Node, Ref, read_by, refs

_KIND = "torch.nn.modules.activation.MultiheadAttention"
_PARAMETERS = ("in_proj_weight", "in_proj_bias", "out_proj.weight", "out_proj.bias")
_SCORES = "aten.scaled_dot_product_attention.default"


def with_attention(builder: Builder, nodes: list[Node]) -> list[Node]:
    """Return the nodes with one in place of all that are one attention of a sequence to itself, unmasked.

    Others stay as they are: products, softmaxes and shapes.
    """
    paths = dict.fromkeys(place.path for node in nodes for place in node.places if place.kind == _KIND)
    for path in paths:
        inside = [node for node in nodes if any(place.path == path for place in node.places)]
        found = _as_one(builder, path, inside, nodes)
        if found is not None:
            at = nodes.index(inside[-1])
            nodes = [*nodes[:at], found, *nodes[at + 1 :]]
            nodes = [node for node in nodes if not any(node is other for other in inside)]
    return nodes


def _as_one(builder: Builder, path: str, inside: list[Node], nodes: list[Node]) -> Node | None:
    """Return the node that is all of these, or None where they are something else."""
    graph = builder.graph
    parameters = {f"{path}.{name}" for name in _PARAMETERS}
    made = {name for node in inside for name in node.outputs}
    taken = [name for node in inside for each in node.arguments.values() for name in refs(each)]
    outside = dict.fromkeys(name for name in taken if name not in made)
    weights = {graph.parameters[name] for name in outside if name in graph.parameters}
    inputs = [name for name in outside if name not in graph.parameters]
    others = [node for node in nodes if not any(node is each for each in inside)]
    read = read_by(others, graph.outputs)
    answers = [name for name in made if name in read]
    scores = [node for node in inside if node.operation == _SCORES]
    if not (weights <= parameters and len(inputs) == len(answers) == len(scores) == 1):
        return None
    if any(scores[0].arguments.get(name) for name in ("attn_mask", "is_causal", "scale", "dropout_p")):
        return None
    query = scores[0].arguments["query"]
    shape = graph.specs[inputs[0]].shape
    if len(shape) != 3 or graph.specs[answers[0]].shape != shape or not isinstance(query, Ref):
        return None
    heads = graph.specs[query.name].shape[1]
    batch_first = inside[0].operation == "aten.transpose.int"
    layer = LayerOf("MultiHeadAttention", (shape[-1], heads), _settings(weights, path, batch_first))
    if not _is_attention(inside):
        return None
    arguments: dict[str, Any] = {"input": Ref(inputs[0]), "path": path, "layer": layer}
    places = tuple(place for place in inside[0].places if len(place.path) <= len(path))
    return Node(inside[-1].name, "burnrt.attention", arguments, (answers[0],), places, inside[0].source)


def _settings(weights: set[str], path: str, batch_first: bool) -> dict[str, Any]:
    found: dict[str, Any] = {"batch_first": True} if batch_first else {}
    return found if f"{path}.in_proj_bias" in weights else {**found, "bias": False}


# How often each operation is in the module, and may be: its own, and what only moves numbers.
_PROJECTIONS = ("aten.linear.default", 2)
_MOVING = frozenset(
    f"aten.{name}"
    for name in """transpose.int unflatten.int unsqueeze.default squeeze.dim contiguous.default select.int
    view.default permute.default reshape.default clone.default dropout.default _unsafe_view.default""".split()
)


def _is_attention(inside: list[Node]) -> bool:
    """Tell whether a module's operations are two projections, the scores between, and nothing but moves."""
    linears = sum(node.operation == _PROJECTIONS[0] for node in inside)
    known = all(node.operation in _MOVING or node.operation in (_SCORES, _PROJECTIONS[0]) for node in inside)
    selected = sum(node.operation == "aten.select.int" for node in inside)
    return linears == _PROJECTIONS[1] and known and selected == 3


def attend(builder: Builder, node: Node) -> None:
    """Add the call of the layer."""
    given: Any = node.arguments
    x = builder.value(given["input"])
    node.arguments = {}
    builder.layer(node, given["path"], given["layer"], x, x, x, count=2)


HANDLERS = {"burnrt.attention": attend}
