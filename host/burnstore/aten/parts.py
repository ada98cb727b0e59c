"""Values in between, where an operation becomes several lines."""

from burnstore.aten.building import Builder
from burnstore.exported.graph import Node, Spec


def part_of(builder: Builder, node: Node, name: str, shape: tuple[int, ...]) -> Node:
    """Return a node for a value in between that an operation makes, of this shape."""
    full = f"{node.name}.{name}"
    builder.graph.specs[full] = Spec(builder.graph.specs[node.outputs[0]].dtype, shape)
    return Node(full, node.operation, node.arguments, (full,), node.places, node.source)
