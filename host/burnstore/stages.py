"""What a conversion does with tensors, stage by stage. No stage reads their bytes."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from burnpack.context import Context
from burnpack.errors import LoadFailed, Unsupported, printable
from burnpack.module import Module
from burnpack.result import ApplyResult
from burnpack.tensor import Tensor
from burnstore.container import Container
from burnstore.layouts import BURN, PYTORCH, layout_of, match_layout, to_layout
from burnstore.naming.filters import PathFilter
from burnstore.naming.indices import Contiguous, gapped_prefixes_of
from burnstore.naming.prefixes import Stripped
from burnstore.naming.remap import KeyRemapper
from burnstore.naming.steps import NamedListing, Step, renamed_tensors
from burnstore.pytorch.reader import PytorchReader
from burnstore.stores import top_level

if TYPE_CHECKING:
    from burnpack.adapters import Adapter


@dataclass(frozen=True)
class Options:
    """What a conversion does besides changing the format.

    from_layout, to_layout: "burn" or "pytorch"; None: found out, and the target's usual one.
    top_level_key: the key of a PyTorch checkpoint's dict that the weights are under; None: found out.
    strip_prefix: whether to take off the prefixes that wrappers put before every name.
    renames: pairs of a pattern and a replacement, as in `naming.remap`.
    contiguous: whether to close gaps in the numbering of lists; None: for a module from PyTorch.
    filter: which tensors to take; None: all.
    adapter: what else to do with each tensor, such as casting it.
    allow_partial: whether the module may have parameters that the source lacks.
    metadata: (key, text) pairs to write beside the source's.
    overwrite: whether the target may exist.
    """

    from_layout: str | None = None
    to_layout: str | None = None
    top_level_key: str | None = None
    strip_prefix: bool = False
    renames: tuple[tuple[str, str], ...] = ()
    contiguous: bool | None = None
    filter: PathFilter | None = None
    adapter: "Adapter | None" = None
    allow_partial: bool = False
    metadata: tuple[tuple[str, str], ...] = ()
    overwrite: bool = False


def under_top_level(reader: Container, options: Options, notes: list[str]) -> Iterable[Tensor]:
    """Return the tensors under a key of a PyTorch checkpoint's dict."""
    key = options.top_level_key
    if not isinstance(reader, PytorchReader):
        if key is not None:
            raise Unsupported("only PyTorch checkpoints have top-level keys", key, reader.source)
        return reader
    if key is None:
        key = top_level.found(reader)
        notes += top_level.notes(reader)
    return reader if key is None else top_level.tensors_under(reader, key)


def under_new_names(
    tensors: Iterable[Tensor], reader: Container, module: Module | None, options: Options
) -> NamedListing:
    """Return the tensors under their new names."""
    steps: list[Step] = [Stripped()] if options.strip_prefix else []
    if options.renames:
        steps.append(KeyRemapper(options.renames))
    usual = module is not None and reader.format == "pytorch"
    if usual if options.contiguous is None else options.contiguous:
        steps.append(Contiguous(None, gapped_prefixes_of(module) if module else ()))
    return NamedListing(renamed_tensors(tensors, steps), reader.source)


def as_they_are(named: NamedListing, options: Options) -> list[Tensor]:
    """Return the tensors that pass the filter, adapted as far as that takes no module."""
    found = [named.tensor(name) for name in named.names()]
    if options.filter is not None:
        found = [tensor for tensor in found if options.filter.matches(tensor.name, ())]
    if options.adapter is None:
        return found
    return [options.adapter.adapt(tensor, Context(tensor.name, ())) for tensor in found]


def of_module(
    module: Module, named: NamedListing, reader: Container, kind: str, options: Options, notes: list[str]
) -> tuple[ApplyResult, list[Tensor]]:
    """Return the tensors of a module's parameters, adapted, in the target's layout."""
    layout = options.from_layout or layout_of(module, named, reader.format, options.allow_partial)
    target_layout = options.to_layout or (BURN if kind == "burnpack" else PYTORCH)
    result, placed = match_layout(module, named, layout, options.filter, options.adapter)
    if result.errors or (result.missing and not options.allow_partial):
        why = ["the file does not fit the module", str(result), *(f"note: {note}" for note in notes)]
        raise LoadFailed("\n".join(why), None, reader.source)
    if result.unused:
        unused = printable(", ".join(result.unused))
        notes.append(f"left out, as the module has no place for them: {unused}")
    if result.missing:
        notes.append(f"missing, and left out: {', '.join(path for path, _ in result.missing)}")
    notes.append(f"layout: {layout} in the source, {target_layout} in the target")
    return result, to_layout(placed, target_layout)
