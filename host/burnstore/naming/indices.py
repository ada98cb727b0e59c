"""Gaps in the numbering of lists, closed up: `fc.0, fc.2, fc.4` become `fc.0, fc.1, fc.2`.

PyTorch's Sequential counts the layers without parameters too; Burn's Vec has none of these.
"""

import re
from collections.abc import Collection, Sequence

from burnpack.context import without_variants
from burnpack.module import Module, walk

_DIGITS_MOST = 18  # no list is longer, and Python refuses to read very long numbers
_SEGMENTS_MOST = 128  # a name of more is no path in a module, and stays as it is


class Contiguous:
    """A step of `naming.steps`: renumbers, at each numeric segment, the indices that are there.

    Which indices are there is counted for each prefix of the names given: those that begin with
    `a.0.` are counted apart from those that begin with `a.2.`.

    kept: a pattern; where it is found in the prefix before a number, that number stays.
    gapped: prefixes of the new names below which numbers stay, as the module itself has gaps there.
    """

    def __init__(self, kept: re.Pattern[str] | None = None, gapped: Collection[str] = ()) -> None:
        self._kept = kept
        self._gapped = gapped

    def __call__(self, names: Sequence[str]) -> list[str]:
        """Return the new name of each."""
        split = _split(names)
        present = _present(split)
        return [self._renumbered(segments, present) for segments in split]

    def _renumbered(self, segments: list[str], present: dict[str, dict[str, str]]) -> str:
        renamed: list[str] = []
        for depth, segment in enumerate(segments):
            if _is_index(segment):
                prefix = ".".join(segments[:depth])
                if not self._stays(prefix, ".".join(renamed)):
                    segment = present[prefix][segment]
            renamed.append(segment)
        return ".".join(renamed)

    def _stays(self, prefix: str, renamed: str) -> bool:
        return renamed in self._gapped or (self._kept is not None and bool(self._kept.search(prefix)))


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
    present = _present(_split(paths))
    return {prefix for prefix, numbers in present.items() if any(old != new for old, new in numbers.items())}


def _split(names: Sequence[str]) -> list[list[str]]:
    return [name.split(".") if name.count(".") < _SEGMENTS_MOST else [name] for name in names]


def _present(split: Sequence[Sequence[str]]) -> dict[str, dict[str, str]]:
    """Return {prefix: {index: its new one}} for all numeric segments."""
    found: dict[str, set[int]] = {}
    for segments in split:
        for depth, segment in enumerate(segments):
            if _is_index(segment):
                found.setdefault(".".join(segments[:depth]), set()).add(int(segment))
    return {
        prefix: {str(index): str(number) for number, index in enumerate(sorted(indices))}
        for prefix, indices in found.items()
    }


def _is_index(segment: str) -> bool:
    """Return whether a segment is a number as a list's index is written: no sign, no zero before it."""
    if not (segment.isascii() and segment.isdigit()) or len(segment) > _DIGITS_MOST:
        return False
    return segment == "0" or segment[0] != "0"
