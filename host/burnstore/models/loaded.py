"""A model that is ready to run, out of a file of any format."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from burnpack.errors import LoadFailed, Unsupported
from burnpack.module import Module
from burnpack.tensor import Tensor
from burnrt import Model
from burnstore.advice.conversions import converting
from burnstore.exported.opening import has_graph
from burnstore.io.beside import has_program, is_beside
from burnstore.io.container import Container
from burnstore.io.files import PathLike
from burnstore.io.opened import OpenedFile
from burnstore.models import eager
from burnstore.models.model import NEEDED, NOT_NEEDED, load_runnable
from burnstore.models.program import load_program
from burnstore.numerics.adapters import PyTorchToBurnAdapter
from burnstore.pipeline.conversion import unused_note
from burnstore.pipeline.layouts import PYTORCH, layout_of
from burnstore.pipeline.options import Options
from burnstore.pipeline.selecting import selected
from burnstore.stores import BurnpackStore, PytorchStore, SafetensorsStore
from burnstore.stores.store import Store

if TYPE_CHECKING:
    from burnstore.models.exported import Exported


def load_model(
    path: PathLike, spec: str | None, key: str | None = None, tell: Callable[[str], None] | None = None
) -> Any:
    """Return a model with the weights in a file: of the file's program or graph, or else of a class.

    spec: "FILE:CLASS". key: the top-level key of a PyTorch checkpoint; None: found out.
    tell: is given what the load chose or left out, a line each.
    Raises `BurnpackError` where the class is missing, or not filled by the file.
    """
    with OpenedFile(path) as opened:
        reader = opened.reader
        if has_program(reader):
            return _with_program(opened, spec, tell)
        if spec is None and has_graph(reader):
            return load_exported(opened).module
        if spec is None:
            raise LoadFailed(NEEDED, source=opened.path, expected="FILE:CLASS")
        model = load_runnable(spec)
        options = Options(top_level_key=key)
        with _store(path, reader, model, key) as store, converting(reader, model, options):
            result = model.load_from(store)
    unused = [name for name in result.unused if not is_beside(name)]
    for note in [*result.notes, *([unused_note(unused)] if unused else [])]:
        if tell is not None:
            tell(note)
    return model


def load_quantized(
    opened: OpenedFile, spec: str, shapes: Sequence[tuple[int, ...]], tell: Callable[[str], None]
) -> Module:
    """Return a model of a class that rounds as the quantized modules of a PyTorch checkpoint do.

    See `models.eager`. shapes: of the
    inputs, where they are known. tell, and what is raised: as of `load_model`.
    """
    model, reader = load_runnable(spec), opened.reader
    options = Options(from_layout=PYTORCH, contiguous=True, skip_enum_variants=True)
    eager.without_merged(model, _by_name(reader, options, model), tell)
    with converting(reader, model):
        result = model.load_from(PytorchStore.from_file(opened.path))
    eager.keep(model, _by_name(reader, options, model), tell)
    for note in result.notes:
        tell(note)
    if shapes:
        vars(model)["input_shapes"] = list(shapes)
    return model


def _by_name(reader: Container, options: Options, model: Module) -> dict[str, Tensor]:
    found = selected(reader, options, model)
    return {name: found.tensor(name) for name in found.names()}


def load_exported(opened: OpenedFile) -> "Exported":
    """Return the network that a file describes, with its weights. Raises what `exported` does."""
    from burnstore.models.exported import exported  # and with it all operations

    found = exported(opened.reader)
    found.load(opened.reader)
    return found


def _with_program(opened: OpenedFile, spec: str | None, tell: Callable[[str], None] | None) -> Model:
    if spec is not None and tell is not None:
        tell(NOT_NEEDED)
    return load_program(opened.view, opened.path)


def _store(path: PathLike, reader: Container, model: Module, key: str | None) -> Store:
    """Return the store that loads a file into the model."""
    if reader.format == "pytorch":
        checkpoint = PytorchStore.from_file(path)
        return checkpoint if key is None else checkpoint.with_top_level_key(key)
    if key is not None:
        raise Unsupported("only PyTorch checkpoints have top-level keys", key, source=reader.source)
    if reader.format == "burnpack":
        return BurnpackStore.from_file(path).auto_extension(False)
    store = SafetensorsStore.from_file(path)
    if layout_of(model, reader, reader.format) != PYTORCH:
        return store
    return store.with_from_adapter(PyTorchToBurnAdapter()).skip_enum_variants(True)
