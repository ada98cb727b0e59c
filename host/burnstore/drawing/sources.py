"""Which files can be drawn, and by what."""

from burnpack.errors import Unsupported
from burnstore.drawing.exported import picture_of_graph
from burnstore.drawing.picture import Picture
from burnstore.drawing.programs import picture_of_program
from burnstore.exported.opening import graph_of, has_graph
from burnstore.io.beside import has_program
from burnstore.io.opened import OpenedFile

_TENSORS_ALONE = (
    "the file holds tensors alone, and does not say what is computed with them: draw the .pt2 that "
    "torch.export.save writes, or a .bpk with a program, as `burnstore convert` makes one with --module and "
    "--shape"
)


def picture_of(opened: OpenedFile, name: str) -> Picture:
    """Return the picture of the network in a file. name: what the picture's title calls it.

    Raises `Unsupported` for a file that holds tensors alone.
    """
    if has_program(opened.reader):
        return picture_of_program(opened.reader, opened.view, name)
    if has_graph(opened.reader):
        return picture_of_graph(graph_of(opened.reader), name)
    raise Unsupported(_TENSORS_ALONE, source=opened.path)
