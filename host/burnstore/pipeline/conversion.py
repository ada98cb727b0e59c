"""Converting a checkpoint from one format to another: planned and checked before it is written."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from dataclasses import replace as replaced
from pathlib import Path
from typing import TYPE_CHECKING, Any

from burnpack.apply import refusal
from burnpack.collect import adapted_one
from burnpack.context import Context
from burnpack.errors import NotFound, SaveFailed, Unsupported, printable
from burnpack.hints import LAYOUT
from burnpack.module import Module
from burnpack.result import ApplyResult
from burnpack.tensor import Tensor
from burnpack.turned import is_marked
from burnstore.comparing.sealing import is_to_seal, sealing, to_seal
from burnstore.exported.opening import has_graph, says
from burnstore.io.collection import no_collection
from burnstore.io.container import Container
from burnstore.io.files import Buffer, PathLike, check_target, replace, with_default_suffix
from burnstore.io.opened import OpenedFile
from burnstore.io.shards.plan import grouped
from burnstore.io.shards.writer import save_sharded
from burnstore.naming.filters import PathFilter
from burnstore.naming.steps import NamedListing
from burnstore.pipeline.layouts import BURN, PYTORCH, placed, with_layout
from burnstore.pipeline.networks import check_whole, for_network, network_of, self_test, whole, with_computed
from burnstore.pipeline.options import Options, Pairs
from burnstore.pipeline.param_ids import with_param_ids
from burnstore.pipeline.programs import programmed, without_program
from burnstore.pipeline.selecting import selected
from burnstore.pipeline.writing import own_metadata
from burnstore.pytorch.left_out import left_out_notes

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from burnstore.models.exported import Exported

FORMATS = {".bpk": "burnpack", ".safetensors": "safetensors"}
_FORGET_EVERY = 8 << 20  # bytes of a mapped source that may stay in memory before they are given back

Progress = Callable[[int], None]


@dataclass
class Conversion:
    """A conversion, planned: everything has been checked, nothing is written yet.

    target: the path that will be written.
    size: its bytes.
    notes: what a person should know of it.
    result: how the tensors match the module, where there is one.
    tensors: those that it writes, unread.
    program: the one that it writes before them, or None.
    cases: how many cases of a self-test it writes behind them.
    """

    target: Path
    size: int
    notes: list[str]
    result: ApplyResult | None
    tensors: list[Tensor] = field(repr=False)
    program: Tensor | None = field(repr=False)
    cases: int
    _metadata: Pairs = field(repr=False)
    _chunks: Callable[[], Iterator[Buffer]] = field(repr=False)
    _source: OpenedFile = field(repr=False)
    _options: Options = field(repr=False)

    def outcome(self) -> str:
        """Return the target, how many tensors and how many bytes, on one line."""
        count = len(self.tensors)
        what = "1 tensor" if count == 1 else f"{count:,} tensors"
        if self.program:
            what += ", a program and a self-test" if self.cases else " and a program"
        parts = self._options.shard_size and len(grouped(self.tensors, self._options.shard_size))
        where = "" if not parts or parts == 1 else f" in {parts:,} files, with their index"
        return f"{printable(str(self.target))}: {what}, {self.size:,} bytes{where}"

    def run(self, progress: Progress | None = None) -> None:
        """Write the target, streamed and atomically."""
        options = self._options
        try:
            if options.shard_size is None:
                replace(self.target, self._watched(self._chunks()), options.overwrite, progress)
            else:
                how = (options.shard_size, self._metadata, options.overwrite, progress, self._watched)
                save_sharded(self.target, self.tensors, *how)
        except SaveFailed:
            self._source.check_whole()  # which says why a part of it could not be written
            raise

    def _watched(self, chunks: Iterator[Buffer]) -> Iterator[Buffer]:
        """Yield chunks for as long as the source is whole, and give back the memory of what was read."""
        read = 0
        for chunk in chunks:
            self._source.check_whole()
            read += len(chunk)
            yield chunk
            del chunk  # so that the next one is not made beside it
            if read >= _FORGET_EVERY:
                self._source.forget()
                read = 0


@no_collection()
def plan(
    source: OpenedFile,
    target: PathLike,
    module: Module | None = None,
    options: Options | None = None,
    answers: "list[NDArray[Any]] | None" = None,
) -> Conversion:
    """Plan the conversion of an opened checkpoint into `target`, whose format follows from its name.

    With a module the tensors get its names and the target's layout: Burn's in a .bpk, PyTorch's in a
    .safetensors. So they do in a .bpk where the source says itself what it computes, as an exported program
    does; that is written, too. Else, without a module, names and layout stay as they are, but for what the
    options say. answers: PyTorch's to the sample inputs of the source. Raises `BurnpackError`.
    """
    options = options or Options()
    if module is None and (options.from_layout or options.to_layout or options.allow_partial):
        raise Unsupported("a layout can only be changed, and parameters be left out, with a module")
    path = target_path(target)
    kind = FORMATS[path.suffix.lower()]
    _check_shards(options, kind, path)
    check_target(path, options.overwrite, str(path))
    reader = source.reader
    network = network_of(reader, kind, options) if module is None else None
    if network is not None:
        module, options = network.module, for_network(network, options)
    named = selected(reader, options, module)
    notes = named.notes
    if network is not None:
        named = NamedListing(
            network.tensors(map(named.tensor, named.names())), named.source, notes, named.metadata()
        )
        notes = named.notes = notes + network.description.notes
    elif module is not None and has_graph(reader):
        named = with_computed(named, reader, module)
    elif kind == "burnpack" and module is None and options.program and says(reader):
        notes.append("the file says as TorchScript what it computes: --shape writes its program")
    result = None
    if options.half or options.cast is not None:
        from burnstore.pipeline.casting import with_casting  # and with it numpy

        options = replaced(options, adapter=with_casting(options, named.names() if module is None else None))
    if module is None:
        tensors = _as_they_are(named, options)
        notes += _on_no_module(tensors, named, reader, kind, options)
    else:
        with whole(network, reader):
            result, tensors = _of_module(module, named, reader, kind, options)
        if network is not None:
            check_whole(network, tensors, reader)
    if options.param_ids and kind == "burnpack":
        tensors = with_param_ids(tensors)
    _check_exact(options, set(named.names()), result)
    left_out = left_out_notes(source.left_out())
    _check_some(tensors, kind, reader, named, result, left_out, network)
    notes += left_out
    if expansion := getattr(reader, "expansion", 0):
        notes.append(f"tensors are expanded: they have {expansion:,} bytes more than the file holds of them")
    if kind != "burnpack":
        notes += _lost(reader, tensors)
    program = programmed(module, tensors, reader, kind, options)
    notes += program.notes
    metadata = (
        _metadata(kind, reader, options, _is_pytorchs(module, kind, reader, options)) + program.metadata
    )
    golden, scalars = self_test(network, tensors, options, answers)
    written = [*([] if program.tensor is None else [program.tensor]), *tensors, *golden]
    metadata = to_seal(metadata, is_to_seal(reader, options.digest, options.shard_size is not None))
    writer, chunks = sealing(kind, written, metadata, [*reader.scalars(), *scalars])
    rest = (tensors, program.tensor, bool(golden), metadata, chunks, source, options)
    return Conversion(path, writer.size, notes, result, *rest)


def target_path(target: PathLike) -> Path:
    """Return the path to write: ".bpk" is appended when there is no extension."""
    path = with_default_suffix(Path(target), ".bpk")
    if path.suffix.lower() not in FORMATS:
        known = " and ".join(FORMATS)
        raise Unsupported(f"only {known} can be written", source=str(path), found=path.suffix)
    return path


def unused_note(names: list[str]) -> str:
    """Return what is said of tensors of these names, which no parameter of a module takes."""
    return f"left out, as the module has no place for them: {printable(', '.join(names))}"


def _check_shards(options: Options, kind: str, path: Path) -> None:
    if options.shard_size is not None and kind != "safetensors":
        what = "only SafeTensors are written in several files: give a target that ends in .safetensors"
        raise Unsupported(what, source=str(path))


def _as_they_are(named: NamedListing, options: Options) -> list[Tensor]:
    """Return the tensors that pass the filter, adapted as far as that takes no module."""
    found = [named.tensor(name) for name in named.names()]
    if options.filter is not None:
        found = [tensor for tensor in found if options.filter.matches(tensor.name, ())]
    if options.adapter is None:
        return found
    return [adapted_one(tensor, Context(tensor.name, ()), options.adapter) for tensor in found]


def _on_no_module(
    tensors: list[Tensor], named: NamedListing, reader: Container, kind: str, options: Options
) -> list[str]:
    """Return notes on what a module would have told."""
    notes = []
    if reader.format != kind:
        same = named.names() == reader.names()
        what = "names and layout stay as they are" if same else "the layout stays as it is"
        notes.append(f"no --module: {what}")
    if options.half:
        halved = sum(named.tensor(tensor.name).dtype != tensor.dtype for tensor in tensors)
        what = "no --module: which layers take no harm is told by names"
        notes.append(f"{what}; {halved} of {len(tensors)} tensors are converted")
    return notes


def _of_module(
    module: Module, named: NamedListing, reader: Container, kind: str, options: Options
) -> tuple[ApplyResult, list[Tensor]]:
    """Return the tensors of a module's parameters, adapted, in the target's layout."""
    notes = named.notes
    known = with_layout(options, module, named, reader.format)
    layout = known.from_layout
    target_layout = _target_layout(kind, options)
    result, found = placed(module, named, known, target_layout)
    if result.errors or (result.missing and not options.allow_partial):
        from burnstore.advice.conversions import refused

        result.notes = notes
        raise refused("the file does not fit the module", result, reader, module, options)
    if result.unused:
        notes.append(unused_note(result.unused))
    if result.missing:
        notes.append(f"missing, and left out: {', '.join(path for path, _ in result.missing)}")
    notes.append(f"layout: {layout} in the source, {target_layout} in the target")
    return result, [tensor for tensor, _ in found]


def _check_exact(options: Options, names: set[str], result: ApplyResult | None) -> None:
    """Refuse an exact name that was asked for and is nowhere."""
    known = names if result is None else {*result.applied, *result.skipped}
    for path in options.filter.full_paths() if isinstance(options.filter, PathFilter) else ():
        if path not in known:
            raise NotFound("no tensor of this name to take", path)


def _check_some(
    tensors: list[Tensor],
    kind: str,
    reader: Container,
    named: NamedListing,
    result: ApplyResult | None,
    left_out: list[str],
    network: "Exported | None" = None,
) -> None:
    """Refuse to write nothing, and say why nothing is there."""
    if tensors or (kind == "burnpack" and not named.names() and (reader.scalars() or network is not None)):
        return
    if not named.names():
        why = "; ".join(["there are no tensors", *left_out])
    elif result is not None and not result.skipped:
        raise refusal("nothing is left to write: the module takes none of the tensors", result, reader.source)
    else:
        why = "no tensor passes the filter"
    raise NotFound(f"nothing is left to write: {why}", source=reader.source)


def _lost(reader: Container, tensors: list[Tensor]) -> list[str]:
    """Return notes on what SafeTensors has no place for."""
    notes = []
    if scalars := reader.scalars():
        notes.append(f"SafeTensors has no scalars: {len(scalars)} left out")
    if any(tensor.param_id is not None for tensor in tensors):
        notes.append("SafeTensors has no param ids: left out")
    return notes


def _is_pytorchs(module: Module | None, kind: str, reader: Container, options: Options) -> bool:
    """Return whether the target is known to have PyTorch's layout."""
    if module is None:
        return reader.format == "pytorch" or is_marked(reader)
    return _target_layout(kind, options) == PYTORCH


def _target_layout(kind: str, options: Options) -> str:
    return options.to_layout or (BURN if kind == "burnpack" else PYTORCH)


def _metadata(kind: str, reader: Container, options: Options, is_pytorchs: bool) -> Pairs:
    """Return the source's metadata, and what was asked for.

    Where the format changes, the target says of itself what a store would. PyTorch's layout is said, since no
    shape shows it where a Linear's matrix is square.
    """
    own = own_metadata(kind)
    if reader.format == kind:
        pairs = without_program(tuple(reader.metadata()))
    elif reader.format == "pytorch":
        pairs = own  # a checkpoint's metadata are facts of its container
    else:
        keys = [key for key, _ in own]
        others = without_program(tuple(reader.metadata()))
        pairs = own + tuple(pair for pair in others if pair[0] not in keys)
    pairs = tuple(pair for pair in pairs if pair[0] != LAYOUT)
    pairs += ((LAYOUT, PYTORCH),) if is_pytorchs else ()
    given = dict(options.metadata)
    return (*(pair for pair in pairs if pair[0] not in given), *given.items())
