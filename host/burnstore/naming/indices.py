"""Gaps in the numbering of lists, closed up: `fc.0, fc.2, fc.4` become `fc.0, fc.1, fc.2`.

PyTorch's Sequential counts the layers without parameters too; Burn's Vec has none of these.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import lru_cache

from burnpack.context import without_variants
from burnpack.module import Module, walk
from burnpack.tensor import Tensor
from burnstore.naming.steps import renamed_with_pairs

_DIGITS_MOST = 18  # no list is longer, and Python refuses to read very long numbers
_SEGMENTS_MOST = 128  # a name of more is no path in a module, and stays as it is

Keep = Callable[[str], object]  # is asked about a prefix; what it returns counts as true or false
Members = dict[str, list[int]]  # {segment: the numbers of the names that have it}


class Contiguous:
    """A step of `naming.steps`: renumbers, at each numeric segment, the indices that are there.

    Which indices are there is counted for each prefix of the names given: those that begin with
    `a.0.` are counted apart from those that begin with `a.2.`.

    keep: where it says so of the prefix before a number, that number stays.
    gapped: prefixes of the new names below which numbers stay, as the module itself has gaps there.
    """

    def __init__(self, keep: Keep | None = None, gapped: Collection[str] = ()) -> None:
        self._keep = keep
        self._gapped = gapped

    def __call__(self, names: Sequence[str]) -> list[str]:
        """Return the new name of each."""
        split = _split(names)
        alone: list[tuple[int, int]] = []
        for depth, members in _lists(split, alone):
            first = next(iter(members.values()))[0]
            if self._stays(names[first], split[first], depth):
                continue
            for number, index in enumerate(sorted(members, key=int)):
                for name in members[index]:
                    split[name][depth] = str(number)
        for name, depth in alone:
            self._restart(names[name], split[name], depth)
        return [".".join(segments) for segments in split]

    def _restart(self, name: str, segments: list[str], start: int) -> None:
        """Make each index a 0 from a depth on, where no other name begins alike."""
        for depth in range(start, len(segments)):
            segment = segments[depth]
            if segment != "0" and _is_index(segment) and not self._stays(name, segments, depth):
                segments[depth] = "0"

    def _stays(self, name: str, segments: Sequence[str], depth: int) -> bool:
        """Tell whether numbers stay at a depth, by a name that is there and what its segments became."""
        if self._gapped and ".".join(segments[:depth]) in self._gapped:
            return True
        return self._keep is not None and bool(self._keep(".".join(name.split(".")[:depth])))


def map_indices_contiguous(tensors: Iterable[Tensor]) -> tuple[list[Tensor], list[tuple[str, str]]]:
    """Return the tensors with gaps in the numbering of lists closed up, and (new, old) name pairs."""
    return renamed_with_pairs(tensors, Contiguous())


def map_indices_contiguous_except(
    tensors: Iterable[Tensor], keep: Keep
) -> tuple[list[Tensor], list[tuple[str, str]]]:
    """Do as `map_indices_contiguous` does with tensors; where `keep(prefix)` is true, numbers stay.

    A prefix is what stands before a number in a tensor's own name, as "flows" does in "flows.2.weight".
    """
    return renamed_with_pairs(tensors, Contiguous(keep))


def renumbered(old: Sequence[str], new: Sequence[str]) -> list[tuple[str, str]]:
    """Return what of each name ends in the last number that was changed, old and new, each pair once."""
    pairs: dict[tuple[str, str], None] = {}
    for before, after in zip(old, new, strict=True):
        if before != after:
            first, second = before.split("."), after.split(".")
            changed = [depth for depth, segment in enumerate(first) if segment != second[depth]]
            end = changed[-1] + 1
            pairs[".".join(first[:end]), ".".join(second[:end])] = None
    return list(pairs)


def gapped_prefixes_of(module: Module) -> set[str]:
    """Return the prefixes below which a module's own lists have gaps, by its names and by PyTorch's."""
    paths = [(path, without_variants(path, containers)) for path, containers, _ in walk(module)]
    return set().union(*(gapped_prefixes(column) for column in zip(*paths, strict=True)))


def gapped_prefixes(paths: Sequence[str]) -> set[str]:
    """Return the prefixes of numbers that are not all of 0, 1, 2 and so on."""
    split = _split(paths)
    alone: list[tuple[int, int]] = []
    found = {
        ".".join(split[next(iter(members.values()))[0]][:depth])
        for depth, members in _lists(split, alone)
        if set(members) != set(map(str, range(len(members))))
    }
    for name, start in alone:
        segments = split[name]
        depths = [depth for depth in range(start, len(segments)) if _is_index(segments[depth])]
        found.update(".".join(segments[:depth]) for depth in depths if segments[depth] != "0")
    return found


def _split(names: Sequence[str]) -> list[list[str]]:
    return [name.split(".") if name.count(".") < _SEGMENTS_MOST else [name] for name in names]


def _lists(split: Sequence[Sequence[str]], alone: list[tuple[int, int]]) -> Iterator[tuple[int, Members]]:
    """Yield (depth, {index: numbers of the names that have it there}) for each prefix of indices.

    Each after those that it lies in. alone: takes (number, depth) of names with which none begins alike from
    that depth on: one may be as long as all the others.
    """
    waiting = [(0, list(range(len(split))))]
    while waiting:
        depth, names = waiting.pop()
        if len(names) == 1:
            alone.append((names[0], depth))
            continue
        found: Members = {}
        for name in names:
            if depth < len(split[name]):
                found.setdefault(split[name][depth], []).append(name)
        waiting += [(depth + 1, members) for members in found.values()]
        indices = {segment: members for segment, members in found.items() if _is_index(segment)}
        if indices:
            yield depth, indices


@lru_cache(1 << 16)
def _is_index(segment: str) -> bool:
    """Return whether a segment is a number as a list's index is written: no sign, no zero before it."""
    if not (segment.isascii() and segment.isdigit()) or len(segment) > _DIGITS_MOST:
        return False
    return segment == "0" or segment[0] != "0"
