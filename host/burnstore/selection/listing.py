"""The tensors of a container as they are asked for: those under a key, folded, under their new names."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from burnpack.context import without_variants
from burnpack.errors import Unsupported, printable
from burnpack.module import Module, walk
from burnpack.result import ApplyResult
from burnpack.tensor import Tensor
from burnstore.container import Container
from burnstore.naming.indices import Contiguous, renumbered
from burnstore.naming.steps import NamedListing, Step, renamed_tensors
from burnstore.pytorch.reader import PytorchReader
from burnstore.reparametrized.fold import are_suspected, fold
from burnstore.selection import top_level

if TYPE_CHECKING:
    from burnpack.types import Filter

_SHOWN = 8  # pairs of numbers in a note


@dataclass(frozen=True)
class Asked:
    """What is asked for of a container's tensors.

    key: the top-level key of a PyTorch checkpoint; "": none; None: found out.
    steps: how names change. folds: whether reparametrized weights are folded.
    module: what the tensors are for, or None. fit: what becomes of it with a listing.
    filter: which of the module's parameters are asked for; None: all.
    says_numbers: whether a note says which of the module's lists were renumbered.
    """

    key: str | None = None
    steps: Sequence[Step] = ()
    folds: bool = True
    module: Module | None = None
    fit: Callable[[NamedListing], ApplyResult] | None = None
    filter: "Filter | None" = None
    says_numbers: bool = False


def listed(reader: Container, asked: Asked) -> NamedListing:
    """Return the tensors that are asked for, and notes on how they were found. Raises `BurnpackError`."""

    @cache
    def found(key: str) -> tuple[NamedListing, list[str]]:
        tensors, notes = _folded(_under(reader, key), asked)
        listing = NamedListing(renamed_tensors(tensors, asked.steps), reader.source, notes)
        return listing, [tensor.name for tensor in tensors]

    key, notes = _choice(reader, asked, lambda key: found(key)[0])
    listing, names = found(key)
    listing.notes = notes + listing.notes + _on_numbers(names, listing, asked)
    return listing


def _under(reader: Container, key: str) -> list[Tensor]:
    return top_level.tensors_under(reader, key) if isinstance(reader, PytorchReader) else list(reader)


def _choice(reader: Container, asked: Asked, found: Callable[[str], NamedListing]) -> top_level.Choice:
    module, fit = asked.module, asked.fit
    if not isinstance(reader, PytorchReader):
        if asked.key:
            what = "only PyTorch checkpoints in one file have top-level keys"
            raise Unsupported(what, asked.key, reader.source)
        return "", []
    if asked.key is not None:
        return asked.key, []
    if module is None or fit is None:
        return top_level.chosen(reader)
    return top_level.chosen_for(module, reader, lambda key: fit(found(key)), asked.filter)


def _folded(tensors: list[Tensor], asked: Asked) -> tuple[list[Tensor], list[str]]:
    names = [tensor.name for tensor in tensors]
    if not asked.folds or not are_suspected(names):
        return tensors, []
    return fold(tensors, _own(asked.module, names, asked.steps) if asked.module else ())


def _own(module: Module, names: Sequence[str], steps: Iterable[Step]) -> set[str]:
    """Return those of the names that are a module's own parameters, by the names that steps give them."""
    own = set()
    for path, containers, _ in walk(module):
        own |= {path, without_variants(path, containers)}
    renamed = list(names)
    for step in steps:
        renamed = step(renamed)
    return {name for name, new in zip(names, renamed, strict=True) if new in own}


def _on_numbers(names: list[str], listing: NamedListing, asked: Asked) -> list[str]:
    """Return a note on the lists that were renumbered, as far as the module takes from them."""
    if not asked.says_numbers or asked.fit is None:
        return []
    pairs: list[tuple[str, str]] = []
    unused = set(asked.fit(listing).unused)
    for step in asked.steps:
        old, names = names, step(names)
        if isinstance(step, Contiguous):
            taken = [pair for pair in zip(old, names, strict=True) if pair[1] not in unused]
            pairs += renumbered(*zip(*taken, strict=True)) if taken else []
    shown = ", ".join(f"{printable(old)} → {printable(new)}" for old, new in pairs[:_SHOWN])
    more = f" and {len(pairs) - _SHOWN} more" if len(pairs) > _SHOWN else ""
    return [f"renumbered, as gaps in lists are closed up: {shown}{more}"] if pairs else []
