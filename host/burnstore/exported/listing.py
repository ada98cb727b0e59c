"""A graph as plain values, for JSON and for tables."""

from typing import Any

from burnstore.exported.graph import Argument, Graph, Ref

ENDING = ".default"  # of operations that have no other form


def graph_facts(graph: Graph) -> dict[str, Any]:
    """Return what a graph says: producer, inputs, outputs, operations, opened, notes.

    An operation has operation, arguments (each as text by its name, tensors of the container under their
    names there), outputs (name, dtype and shape), path and kind (of the innermost module that it is in) and
    source.
    """
    return {
        "producer": graph.producer,
        "inputs": [
            {"name": called, **_value(graph, name)}
            for name, called in zip(graph.inputs, graph.input_names, strict=True)
        ],
        "outputs": [argument_text(graph, value) for value in graph.outputs],
        "operations": [
            {
                "name": node.name,
                "operation": node.operation.removesuffix(ENDING),
                "arguments": {key: argument_text(graph, value) for key, value in node.arguments.items()},
                "outputs": [{"name": name, **_value(graph, name)} for name in node.outputs if name],
                "path": node.places[-1].path if node.places else "",
                "kind": node.places[-1].kind if node.places else "",
                "source": node.source,
            }
            for node in graph.nodes
        ],
        "opened": graph.opened,
        "notes": graph.notes,
    }


def argument_text(graph: Graph, value: Argument) -> str:
    """Return an argument as text: values and tensors by their names, lists in brackets."""
    if isinstance(value, Ref):
        return graph.parameters.get(value.name, value.name)
    if isinstance(value, tuple):
        return f"[{', '.join([argument_text(graph, part) for part in value])}]"
    return repr(value) if isinstance(value, str) else str(value)


def _value(graph: Graph, name: str) -> dict[str, Any]:
    spec = graph.specs[name]
    return {"dtype": spec.dtype, "shape": list(spec.shape)}
