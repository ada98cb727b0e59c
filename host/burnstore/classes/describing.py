"""From a file to the source of its network's class."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from burnpack.errors import NotFound, Unsupported
from burnpack.tensor import Tensor
from burnpack.turned import is_marked
from burnstore.classes.description import Description
from burnstore.classes.source import source_of
from burnstore.exported.opening import has_graph, says
from burnstore.io.opened import OpenedFile
from burnstore.naming.steps import NamedListing
from burnstore.pipeline.options import Options
from burnstore.pipeline.selecting import selected
from burnstore.pipeline.top_level import chosen
from burnstore.pytorch.reader import PytorchReader

_GUESSED = (
    "Guessed from the names and shapes of weights. What is marked as a guess, and what each forward does, is "
    "known where the network is from."
)
_PICKLED = "Made of the modules in the file and their settings. Each forward is left to do."
_COMPUTED = "is computed by `burnstore convert`, which writes it into the .bpk"
_BURNS = (".gamma", ".beta", "_transform.weight")  # what names in Burn's layout end with


@dataclass(frozen=True)
class Written:
    """A class, written. name: its own. is_left: whether its `forward` is left to do. notes: on the file."""

    source: str
    name: str
    is_left: bool
    notes: list[str]


def describe(opened: OpenedFile, key: str | None = None, shapes: Sequence[Sequence[int]] = ()) -> Written:
    """Return the source of the class of the network in a file.

    key: the top-level key of a checkpoint's dict under which the weights are; None: it is found.
    shapes: of the inputs, where a graph leaves extents open.

    A file that has a graph says all; a whole module that is pickled, its layers; others are guessed. Raises
    `Unsupported` for a graph with operations that nothing here computes.
    """
    reader = opened.reader
    if has_graph(reader) or (shapes and says(reader)):
        from burnstore.models.exported import exported

        found = exported(reader, shapes).description
        added = {path: _COMPUTED for path in found.constants if path not in reader}
        return _written(found, added, False, [])
    if shapes:
        raise Unsupported("a shape is of an input of an exported program", source=reader.source)
    options = Options(top_level_key=key)
    listing = selected(reader, options)
    described, comments = _of_tensors(opened, listing, key)
    if not described.layers and not described.parameters:
        raise NotFound("there are no weights to describe a class by", source=reader.source)
    return _written(described, comments, True, listing.notes)


def _written(
    description: Description, comments: dict[str, str], is_left: bool, notes: Iterable[str]
) -> Written:
    source = source_of(description, comments, is_left)
    name = source.rpartition("\nclass ")[2].partition("(")[0]
    return Written(source, name, is_left, list(notes))


def _of_tensors(
    opened: OpenedFile, listing: NamedListing, key: str | None
) -> tuple[Description, dict[str, str]]:
    reader = opened.reader
    tensors = [listing.tensor(name) for name in listing.names()]
    if isinstance(reader, PytorchReader):
        module = reader.module(chosen(reader)[0] if key is None else key)
        if module is not None:
            from burnstore.classes.pickled import of_module

            found = of_module(module, {tensor.name: tensor.shape for tensor in tensors})
            found[0].notes.insert(0, _PICKLED)
            return found
    from burnstore.classes.guessing import guessed

    found = guessed(tensors, _is_burns(opened, tensors), "Net")
    found[0].notes.insert(0, _GUESSED)
    return found


def _is_burns(opened: OpenedFile, tensors: Sequence[Tensor]) -> bool:
    """Tell whether tensors are in Burn's layout: by their names, by their matrices, or by the format."""
    if any(tensor.name.endswith(_BURNS) for tensor in tensors):
        return True
    biases = {tensor.name: tensor.shape for tensor in tensors if tensor.name.endswith("bias")}
    pairs = [
        (tensor.shape, biases.get(tensor.name.removesuffix("weight") + "bias"))
        for tensor in tensors
        if tensor.name.endswith("weight") and len(tensor.shape) == 2 and tensor.shape[0] != tensor.shape[1]
    ]
    burns, pytorchs = (sum(bias == shape[end:][:1] for shape, bias in pairs) for end in (1, 0))
    if burns != pytorchs:
        return burns > pytorchs
    return opened.reader.format == "burnpack" and not is_marked(opened.reader)
