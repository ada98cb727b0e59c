"""The tensors of a source that are meant: those under a key, folded, under the names that are asked for."""

from collections.abc import Callable, Iterable, Sequence
from functools import cache

from burnpack.context import without_variants
from burnpack.errors import Unsupported, printable
from burnpack.module import Module, walk
from burnpack.result import ApplyResult
from burnpack.tensor import Tensor
from burnstore.io.beside import PROGRAM, has_program
from burnstore.io.container import Container
from burnstore.naming.indices import Contiguous, gapped_prefixes_of, renumbered
from burnstore.naming.prefixes import WRAPPERS, stripping
from burnstore.naming.steps import NamedListing, Step, renamed_tensors
from burnstore.pipeline import top_level
from burnstore.pipeline.layouts import matched, with_layout
from burnstore.pipeline.options import Options
from burnstore.pytorch.reader import PytorchReader
from burnstore.pytorch.reparametrized.fold import are_suspected, fold

_UNWRAPPED = f"no prefix is taken off: not all names begin with {', or all with '.join(WRAPPERS)}"
_SHOWN = 8  # pairs of numbers in a note


def selected(reader: Container, options: Options, module: Module | None = None) -> NamedListing:
    """Return the tensors that are meant, with notes on how they were found. Raises `BurnpackError`.

    module: what they are for: it decides what the options leave open.
    """
    steps = naming_steps(reader, options, module)
    folds = options.fold and reader.format != "burnpack"

    @cache
    def found(key: str) -> tuple[NamedListing, list[str]]:
        tensors = top_level.tensors_under(reader, key) if isinstance(reader, PytorchReader) else _own(reader)
        tensors, notes = _folded(tensors, module, steps) if folds else (tensors, [])
        listing = NamedListing(renamed_tensors(tensors, steps), reader.source, notes, reader.metadata())
        return listing, [tensor.name for tensor in tensors]

    key, notes = _choice(reader, options, module, lambda key: found(key)[0])
    listing, names = found(key)
    listing.notes = notes + listing.notes + _on_idle(names, steps, options)
    if module is not None and options.allow_partial:
        listing.notes += _on_numbers(names, listing, steps, module, options)
    return listing


def tried(reader: Container, module: Module, options: Options) -> ApplyResult:
    """Return what becomes of a module's parameters in a conversion. Nothing is read for that."""
    named = selected(reader, options, module)
    return matched(module, named, with_layout(options, module, named, reader.format))[0]


def is_as_it_lies(reader: Container, options: Options) -> bool:
    """Return whether a source's own tensors are those that are meant, under their own names."""
    if (
        options.top_level_key != ""
        or has_program(reader)
        or options.prefixes
        or options.remapper
        or options.contiguous
    ):
        return False
    return not (options.fold and reader.format != "burnpack" and are_suspected(reader.names()))


def naming_steps(reader: Container, options: Options, module: Module | None = None) -> list[Step]:
    """Return what happens to the names of tensors that are read, in order."""
    steps: list[Step] = [stripping(prefix) for prefix in options.prefixes]
    if options.remapper is not None:
        steps.append(options.remapper)
    usual = module is not None and reader.format == "pytorch"
    if usual if options.contiguous is None else options.contiguous:
        keep = options.kept_numbers.matches if options.kept_numbers else None
        steps.append(Contiguous(keep, gapped_prefixes_of(module) if module else ()))
    return steps


def _choice(
    reader: Container, options: Options, module: Module | None, found: Callable[[str], NamedListing]
) -> top_level.Choice:
    key = options.top_level_key
    if not isinstance(reader, PytorchReader):
        if key:
            what = "only PyTorch checkpoints in one file have top-level keys"
            raise Unsupported(what, key, source=reader.source)
        return "", []
    if key is not None:
        return key, []
    if module is None:
        return top_level.chosen(reader)

    def fit(key: str) -> ApplyResult:
        return matched(module, found(key), options)[0]

    return top_level.chosen_for(module, reader, fit, options.filter)


def _folded(
    tensors: list[Tensor], module: Module | None, steps: Iterable[Step]
) -> tuple[list[Tensor], list[str]]:
    names = [tensor.name for tensor in tensors]
    if not are_suspected(names):
        return tensors, []
    return fold(tensors, _parameters(module, names, steps) if module else ())


def _own(reader: Container) -> list[Tensor]:
    """Return a source's tensors, without its program."""
    if not has_program(reader):
        return list(reader)
    return [tensor for tensor in reader if tensor.name != PROGRAM]


def _parameters(module: Module, names: Sequence[str], steps: Iterable[Step]) -> set[str]:
    """Return those of the names that are a module's own parameters, by the names that steps give them."""
    own = set()
    for path, containers, _ in walk(module):
        own |= {path, without_variants(path, containers)}
    renamed = list(names)
    for step in steps:
        renamed = step(renamed)
    return {name for name, new in zip(names, renamed, strict=True) if new in own}


def _on_idle(names: Sequence[str], steps: Iterable[Step], options: Options) -> list[str]:
    """Return a note on each prefix, and on the patterns, that change no name though they were given for that.

    steps: those of `naming_steps`, the first of them for the prefixes, then one for the patterns.
    """
    asked = [f"no name begins with {prefix}" if prefix else _UNWRAPPED for prefix in options.prefixes]
    if options.remapper is not None:
        patterns = ", ".join(pattern for pattern, _ in options.remapper.patterns)
        asked.append(f"no name has what is to be renamed: {patterns}")
    notes = []
    for step, note in zip(steps, asked, strict=False):
        old, names = names, step(names)
        if old and list(old) == names:
            notes.append(printable(note))
    return notes


def _on_numbers(
    names: list[str], listing: NamedListing, steps: Iterable[Step], module: Module, options: Options
) -> list[str]:
    """Return a note on the lists that were renumbered, as far as the module takes from them."""
    pairs: list[tuple[str, str]] = []
    unused = set(matched(module, listing, options)[0].unused)
    for step in steps:
        old, names = names, step(names)
        if isinstance(step, Contiguous):
            taken = [pair for pair in zip(old, names, strict=True) if pair[1] not in unused]
            pairs += renumbered(*zip(*taken, strict=True)) if taken else []
    shown = ", ".join(f"{printable(old)} → {printable(new)}" for old, new in pairs[:_SHOWN])
    more = f" and {len(pairs) - _SHOWN} more" if len(pairs) > _SHOWN else ""
    return [f"renumbered, as gaps in lists are closed up: {shown}{more}"] if pairs else []
