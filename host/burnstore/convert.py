"""Converting a checkpoint from one format to another.

The tensors go through stages, and their bytes are read when the writer's turn comes for each:

    source → under the top-level key → folded → new names → filter → adapter → the target's layout → writer
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path

from burnpack.errors import LoadFailed, NotFound, SaveFailed, Unsupported, printable
from burnpack.module import Module
from burnpack.result import ApplyResult
from burnpack.safetensors_writer import Writer as SafetensorsWriter
from burnpack.tensor import Tensor
from burnpack.version import VERSION
from burnpack.writer import Writer as BurnpackWriter
from burnstore.collection import no_collection
from burnstore.container import Container
from burnstore.files import Buffer, PathLike, check_target, replace, with_default_suffix
from burnstore.naming.steps import NamedListing
from burnstore.opened import OpenedFile
from burnstore.pytorch.left_out import left_out_notes
from burnstore.stages import Options, as_they_are, listing, of_module

FORMATS = {".bpk": "burnpack", ".safetensors": "safetensors"}
_OWN_KEYS = ("format", "producer", "version")  # what a store says of itself
_FORGET_EVERY = 8 << 20  # bytes of a mapped source that may stay in memory before they are given back

Progress = Callable[[int], None]


@dataclass
class Conversion:
    """A conversion, planned: everything has been checked, nothing is written yet.

    target: the path that will be written. size: its bytes. notes: what a person should know of it.
    result: how the tensors match the module, where there is one. count: how many tensors it writes.
    """

    target: Path
    size: int
    notes: list[str]
    result: ApplyResult | None
    count: int
    _chunks: Callable[[], Iterator[Buffer]]
    _source: OpenedFile
    _overwrite: bool = field(default=False)

    def outcome(self) -> str:
        """Return the target, how many tensors and how many bytes, on one line."""
        what = "1 tensor" if self.count == 1 else f"{self.count:,} tensors"
        return f"{printable(str(self.target))}: {what}, {self.size:,} bytes"

    def run(self, progress: Progress | None = None) -> None:
        """Write the target, streamed and atomically."""
        try:
            replace(self.target, self._forgetting(), self._overwrite, progress)
        except SaveFailed:
            self._source.check_whole()  # which says why a part of it could not be written
            raise

    def _forgetting(self) -> Iterator[Buffer]:
        read = 0
        for chunk in self._chunks():
            self._source.check_whole()
            read += len(chunk)
            yield chunk
            del chunk  # so that the next one is not made beside it
            if read >= _FORGET_EVERY:
                self._source.forget()
                read = 0


@no_collection()
def plan(
    source: OpenedFile, target: PathLike, module: Module | None = None, options: Options | None = None
) -> Conversion:
    """Plan the conversion of an opened checkpoint into `target`, whose format follows from its name.

    With a module the tensors get its names and the target's layout: Burn's in a .bpk, PyTorch's in a
    .safetensors. Without one, names and layout stay as they are, but for what the options say. Raises
    `BurnpackError`.
    """
    options = options or Options()
    path = target_path(target)
    check_target(path, options.overwrite, str(path))
    kind = FORMATS[path.suffix.lower()]
    reader = source.reader
    named = listing(reader, module, options)
    notes = named.notes
    result = None
    if module is None:
        tensors = as_they_are(named, options)
        if reader.format != kind:
            same = named.names() == reader.names()
            what = "names and layout stay as they are" if same else "the layout stays as it is"
            notes.append(f"no --module: {what}")
    else:
        result, tensors = of_module(module, named, reader, kind, options, notes)
    _check_exact(options, set(named.names()), result)
    left_out = left_out_notes(source.left_out())
    _check_some(tensors, kind, reader, named, result, left_out)
    notes += left_out
    if expansion := getattr(reader, "expansion", 0):
        notes.append(f"tensors are expanded: they have {expansion:,} bytes more than the file holds of them")
    writer = _writer(kind, reader, tensors, options, notes)
    return Conversion(
        path, writer.size, notes, result, len(tensors), writer.chunks, source, options.overwrite
    )


def _check_exact(options: Options, names: set[str], result: ApplyResult | None) -> None:
    """Refuse an exact name that was asked for and is nowhere."""
    known = names if result is None else {*result.applied, *result.skipped}
    for path in options.filter.full_paths() if options.filter is not None else ():
        if path not in known:
            raise NotFound("no tensor of this name to take", path)


def _check_some(
    tensors: list[Tensor],
    kind: str,
    reader: Container,
    named: NamedListing,
    result: ApplyResult | None,
    left_out: list[str],
) -> None:
    """Refuse to write nothing, and say why nothing is there."""
    if tensors or (kind == "burnpack" and reader.scalars() and not named.names()):
        return
    if not named.names():
        why = "; ".join(["there are no tensors", *left_out])
    elif result is not None and not result.skipped:
        what = f"nothing is left to write: the module takes none of the tensors\n{result}"
        raise LoadFailed(what, None, reader.source)
    else:
        why = "no tensor passes the filter"
    raise NotFound(f"nothing is left to write: {why}", None, reader.source)


def target_path(target: PathLike) -> Path:
    """Return the path to write: ".bpk" is appended when there is no extension."""
    path = with_default_suffix(Path(target), ".bpk")
    if path.suffix.lower() not in FORMATS:
        known = " and ".join(FORMATS)
        raise Unsupported(f"only {known} can be written", None, str(path), None, None, path.suffix)
    return path


def _writer(
    kind: str, reader: Container, tensors: list[Tensor], options: Options, notes: list[str]
) -> BurnpackWriter | SafetensorsWriter:
    metadata = _metadata(kind, reader, options)
    scalars = reader.scalars()
    if kind == "burnpack":
        return BurnpackWriter(tensors, metadata, scalars)
    if scalars:
        notes.append(f"SafeTensors has no scalars: {len(scalars)} left out")
    if any(tensor.param_id is not None for tensor in tensors):
        notes.append("SafeTensors has no param ids: left out")
    return SafetensorsWriter(tensors, metadata)


def _metadata(kind: str, reader: Container, options: Options) -> list[tuple[str, str]]:
    """Return the source's metadata, and what was asked for.

    Where the format changes, the target says of itself what a store would.
    """
    own = [("format", kind), ("producer", "burnstore"), ("version", VERSION)]
    if reader.format == kind:
        pairs = reader.metadata()
    elif reader.format == "pytorch":
        pairs = own  # a checkpoint's metadata are facts of its container
    else:
        pairs = own + [pair for pair in reader.metadata() if pair[0] not in _OWN_KEYS]
    given = dict(options.metadata)
    return [pair for pair in pairs if pair[0] not in given] + list(given.items())
