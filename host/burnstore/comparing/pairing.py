"""Which tensor of one file is which of another."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from burnpack.errors import BurnpackError
from burnpack.forms import TORCH_NAMES
from burnpack.module import Module
from burnpack.tensor import Tensor
from burnstore.comparing.digest import sha256_of
from burnstore.exported.opening import has_graph
from burnstore.io.beside import has_program, is_beside
from burnstore.io.opened import OpenedFile
from burnstore.naming.steps import NamedListing
from burnstore.pipeline.layouts import BURN, placed, with_layout
from burnstore.pipeline.networks import for_network, network_of, whole
from burnstore.pipeline.options import Options
from burnstore.pipeline.selecting import selected

_SHOWN = 8  # names in a note
COUNTER = "num_batches_tracked"  # of PyTorch's norms; Burn's have none


@dataclass
class Side:
    """The tensors of a file. notes: what a person should know of how they were found."""

    tensors: list[Tensor]
    beside: list[Tensor] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Pair:
    """Two tensors to be compared. how: "", "as Burn names it", or "renamed"."""

    first: Tensor
    second: Tensor
    how: str = ""


AS_BURN, RENAMED = "as Burn names it", "renamed"


def sides(
    first: OpenedFile, second: OpenedFile, module: Module | None, options: Sequence[Options]
) -> tuple[Side, Side]:
    """Return the tensors of both files, as far as possible under the same names and in the same layout.

    With a module they are its parameters, in Burn's layout. Where one of the files is an exported program,
    and the other has a program, they are the tensors that `convert` would write of it. options: of each file.
    """
    has = [has_program(each.reader) for each in (first, second)]
    return _side(first, module, options[0], has[1]), _side(second, module, options[1], has[0])


def _side(opened: OpenedFile, module: Module | None, options: Options, is_for_program: bool) -> Side:
    reader = opened.reader
    beside = [tensor for tensor in reader if is_beside(tensor.name)]
    if module is None and not (is_for_program and has_graph(reader)):
        named = selected(reader, options)
        own = [named.tensor(name) for name in named.names() if not is_beside(name)]
        return Side(own, beside, named.notes)
    network = None if module is not None else network_of(reader, "burnpack", options)
    if network is not None:
        options = for_network(network, options)
        listing = selected(reader, options, network.module)
        computed = network.tensors(map(listing.tensor, listing.names()))
        named = NamedListing(computed, listing.source, listing.notes, listing.metadata())
        model: Module = network.module
    else:
        assert module is not None
        named, model = selected(reader, options, module), module
    with whole(network, reader):
        result, found = placed(model, named, with_layout(options, model, named, reader.format), BURN)
    if result.errors:
        from burnpack.apply import refusal

        raise refusal("the file does not fit the module", result, reader.source)
    notes = [
        f"{what}: {', '.join(names[:_SHOWN])}" + f" and {len(names) - _SHOWN:,} more" * (len(names) > _SHOWN)
        for what, names in (
            ("no parameters of the module", result.unused),
            ("parameters that the file lacks", [path for path, _ in result.missing]),
        )
        if names
    ]
    return Side([tensor for tensor, _ in found], beside, named.notes + notes)


def paired(
    first: Sequence[Tensor], second: Sequence[Tensor]
) -> tuple[list[Pair], list[Tensor], list[Tensor]]:
    """Return the pairs, in the order of the first, and what is left of each.

    Tensors are paired by name; then by the names that Burn has for PyTorch's; then, where that is clear, by
    a prefix that all others have, and by content. Only for the last of these is anything read.
    """
    found: dict[str, Pair] = {}
    ours, theirs = ({tensor.name: tensor for tensor in side} for side in (first, second))
    _take(found, ours, theirs, lambda name: name, "")
    for burn, torch in TORCH_NAMES.items():
        _take(found, ours, theirs, _renaming(torch, burn), AS_BURN)
        _take(found, ours, theirs, _renaming(burn, torch), AS_BURN)
    for other_name in _prefixes(list(ours), list(theirs)):
        _take(found, ours, theirs, other_name, RENAMED)
    same = _by_content(ours.values(), theirs.values())
    _take(found, ours, theirs, same.get, RENAMED)
    pairs = [found[tensor.name] for tensor in first if tensor.name in found]
    return pairs, list(ours.values()), list(theirs.values())


def _take(
    found: dict[str, Pair],
    ours: dict[str, Tensor],
    theirs: dict[str, Tensor],
    other_name: Callable[[str], str | None],
    how: str,
) -> None:
    """Move the tensors of both sides that a function of names pairs into `found`."""
    for name in list(ours):
        other = other_name(name)
        if other is not None and other in theirs:
            found[name] = Pair(ours.pop(name), theirs.pop(other), how)


def _renaming(old: str, new: str) -> Callable[[str], str | None]:
    """Return what changes the last part of a name."""

    def other_name(name: str) -> str | None:
        head, dot, last = name.rpartition(".")
        return head + dot + new if last == old else None

    return other_name


def _prefixes(ours: Iterable[str], theirs: Iterable[str]) -> list[Callable[[str], str | None]]:
    """Return what puts before our names, or takes off, the one prefix that all names of a side have more."""
    before = _prefix(set(ours), set(theirs))
    off = _prefix(set(theirs), set(ours))
    if (before is None) == (off is None):
        return []
    if before is not None:
        return [lambda name: before + name]
    return [lambda name: name.removeprefix(off or "")]


def _prefix(short: set[str], long: set[str]) -> str | None:
    """Return the prefix by which all short names, or all long ones, become names of the other set."""
    if not short or not long:
        return None
    parts = min(long).split(".")
    for count in range(1, len(parts)):
        prefix = ".".join(parts[:count]) + "."
        if all(prefix + name in long for name in short):
            return prefix
        if all(name.startswith(prefix) and name.removeprefix(prefix) in short for name in long):
            return prefix
    return None


def _by_content(ours: Iterable[Tensor], theirs: Iterable[Tensor]) -> dict[str, str]:
    """Return {our name: their name} of tensors with the same content, where each has it alone."""
    first, second = _kinds(ours), _kinds(theirs)
    found = {}
    for kind in first.keys() & second.keys():
        hashed = [_hashes(side[kind]) for side in (first, second)]
        for content in hashed[0].keys() & hashed[1].keys():
            names = [side[content] for side in hashed]
            if len(names[0]) == len(names[1]) == 1:
                found[names[0][0]] = names[1][0]
    return found


def _kinds(tensors: Iterable[Tensor]) -> dict[object, list[Tensor]]:
    found: dict[object, list[Tensor]] = {}
    for tensor in tensors:
        if getattr(tensor, "error", None) is None:
            found.setdefault((tensor.dtype, tensor.shape), []).append(tensor)
    return found


def _hashes(tensors: Iterable[Tensor]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for tensor in tensors:
        try:
            found.setdefault(sha256_of(tensor), []).append(tensor.name)
        except BurnpackError:  # which is told where the tensor is
            continue
    return found
