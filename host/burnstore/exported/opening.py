"""What a container computes: the graph of an exported program, and the inputs that it was made with."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from burnpack.errors import Unsupported
from burnstore.io.container import Container

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from burnstore.exported.graph import Graph, Shapes
    from burnstore.pytorch.checkpoint import Program


def has_graph(container: Container) -> bool:
    """Tell whether a container is an exported program.

    TorchScript, which many files of weights are, has a graph only for who asks for it.
    """
    program = getattr(container, "program", None)
    return program is not None and program.is_export


def says(container: Container) -> bool:
    """Tell whether a container says what it computes, be it as TorchScript."""
    return getattr(container, "program", None) is not None


def graph_of(
    container: Container,
    shapes: "Shapes | None" = (),
    extents: Mapping[str, int] | None = None,
) -> "Graph":
    """Return the graph of a container. Raises `Unsupported` for one that holds tensors alone.

    shapes: of inputs, by name or in order, for extents that the program leaves open. extents: these, by their
        names in the program. Of others, the first of an input, the batch, is 1, and the rest are what they
        were when the program was made. The graph's `opened` says what was taken.
    """
    from burnstore.pytorch.containers import loading  # which a file that has a graph has brought

    with loading(container.source):
        found: Graph = _program(container).graph(shapes or (), extents or {})
        return found


def sample_inputs(container: Container, graph: "Graph") -> "list[NDArray[Any]] | None":
    """Return the inputs that a container's program was made with, in the order of its graph's.

    None where the container has none.
    """
    from burnstore.pytorch.containers import loading

    with loading(container.source):
        found: list[NDArray[Any]] | None = _program(container).sample_inputs(graph)
        return found


def _program(container: Container) -> "Program":
    program: Program | None = getattr(container, "program", None)
    if program is None:
        what = "the file holds tensors alone, no graph: torch.export.save writes both into a .pt2"
        raise Unsupported(what, source=container.source)
    return program
