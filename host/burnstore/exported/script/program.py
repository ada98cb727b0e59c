"""A network in TorchScript: what is known of it before its code is followed."""

from collections.abc import Mapping
from typing import TYPE_CHECKING

from burnpack.limits import Limits
from burnstore.pytorch.archive import ZipArchive
from burnstore.pytorch.checkpoint import Checkpoint

if TYPE_CHECKING:
    from burnstore.exported.graph import Graph, Shapes


class ScriptProgram:
    """A network. root: its object, as pickled. constants: those of its code. checkpoint: its tensors."""

    is_export = False

    def __init__(
        self,
        archive: ZipArchive,
        root: object,
        constants: tuple[object, ...],
        checkpoint: Checkpoint,
        limits: Limits,
    ) -> None:
        self.archive = archive
        self.root = root
        self.constants = constants
        self.checkpoint = checkpoint
        self.limits = limits

    def graph(self, shapes: "Shapes", extents: Mapping[str, int]) -> "Graph":
        """Return the graph; see `opening.graph_of`. Nothing is open here but the shapes of inputs."""
        from burnstore.exported.script.following import followed  # which most files of weights don't need

        return followed(self, shapes, extents)

    def sample_inputs(self, graph: "Graph") -> None:
        """Return None: the file has the shapes of inputs at most."""
