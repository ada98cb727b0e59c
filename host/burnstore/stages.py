"""What a conversion does with tensors, stage by stage. No stage reads their bytes."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from burnpack.context import Context
from burnpack.errors import LoadFailed, printable
from burnpack.module import Module
from burnpack.result import ApplyResult
from burnpack.tensor import Tensor
from burnstore.container import Container
from burnstore.layouts import BURN, PYTORCH, layout_of, match_layout, to_layout
from burnstore.naming.filters import PathFilter
from burnstore.naming.indices import Contiguous, gapped_prefixes_of
from burnstore.naming.prefixes import Stripped
from burnstore.naming.remap import KeyRemapper
from burnstore.naming.steps import NamedListing, Step
from burnstore.selection.listing import Asked, listed

if TYPE_CHECKING:
    from burnpack.adapters import Adapter


@dataclass(frozen=True)
class Options:
    """What a conversion does besides changing the format.

    from_layout, to_layout: "burn" or "pytorch"; None: found out, and the target's usual one.
    top_level_key: the key of a PyTorch checkpoint's dict that the weights are under; "": none;
        None: found out.
    fold: whether reparametrized weights, as weight_norm makes them, are folded into one.
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
    fold: bool = True
    strip_prefix: bool = False
    renames: tuple[tuple[str, str], ...] = ()
    contiguous: bool | None = None
    filter: PathFilter | None = None
    adapter: "Adapter | None" = None
    allow_partial: bool = False
    metadata: tuple[tuple[str, str], ...] = ()
    overwrite: bool = False


def listing(reader: Container, module: Module | None, options: Options) -> NamedListing:
    """Return the tensors that a conversion is about, under their new names."""

    def fit(tensors: NamedListing) -> ApplyResult:
        assert module is not None
        layout = options.from_layout or PYTORCH
        return match_layout(module, tensors, layout, options.filter, options.adapter)[0]

    asked = Asked(
        key=options.top_level_key,
        steps=_steps(reader, module, options),
        folds=options.fold and reader.format != "burnpack",
        module=module,
        fit=fit if module else None,
        filter=options.filter,
        says_numbers=options.allow_partial,
    )
    return listed(reader, asked)


def _steps(reader: Container, module: Module | None, options: Options) -> list[Step]:
    steps: list[Step] = [Stripped()] if options.strip_prefix else []
    if options.renames:
        steps.append(KeyRemapper(options.renames))
    usual = module is not None and reader.format == "pytorch"
    if usual if options.contiguous is None else options.contiguous:
        steps.append(Contiguous(None, gapped_prefixes_of(module) if module else ()))
    return steps


def as_they_are(named: NamedListing, options: Options) -> list[Tensor]:
    """Return the tensors that pass the filter, adapted as far as that takes no module."""
    found = [named.tensor(name) for name in named.names()]
    if options.filter is not None:
        found = [tensor for tensor in found if options.filter.matches(tensor.name, ())]
    if options.adapter is None:
        return found
    return [options.adapter.adapt(tensor, Context(tensor.name, ())) for tensor in found]


def unused_note(names: list[str]) -> str:
    """Return what is said of tensors of these names, which no parameter of a module takes."""
    return f"left out, as the module has no place for them: {printable(', '.join(names))}"


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
        notes.append(unused_note(result.unused))
    if result.missing:
        notes.append(f"missing, and left out: {', '.join(path for path, _ in result.missing)}")
    notes.append(f"layout: {layout} in the source, {target_layout} in the target")
    return result, to_layout(placed, target_layout)
