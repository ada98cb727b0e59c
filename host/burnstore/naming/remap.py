"""Names changed by patterns and replacements."""

import re
from collections.abc import Iterable, Sequence
from typing import Self

from burnstore.naming.patterns import compiled
from burnstore.naming.template import Template


class KeyRemapper:
    """Pairs of a pattern and a replacement, applied one after the other, each to the result of the last.

    Every place where a pattern is found is replaced. Replacements are those of `naming.template`.
    Both are checked when they are given.
    """

    def __init__(self, pairs: Iterable[tuple[str, str]] = ()) -> None:
        self._pairs: list[tuple[re.Pattern[str], Template]] = []
        for pattern, replacement in pairs:
            self.add_pattern(pattern, replacement)

    @classmethod
    def from_patterns(cls, pairs: Iterable[tuple[str, str]]) -> Self:
        """Return a remapper with these pairs of a pattern and a replacement, as `KeyRemapper(pairs)` does."""
        return cls(pairs)

    def add_pattern(self, pattern: str, replacement: str) -> Self:
        """Add one more pair; return the remapper. Raises `Malformed`."""
        expression = compiled(pattern)
        self._pairs.append((expression, Template(replacement, expression)))
        return self

    def copy(self) -> "KeyRemapper":
        """Return another remapper with the same pairs."""
        other = KeyRemapper()
        other._pairs = list(self._pairs)
        return other

    def is_empty(self) -> bool:
        """Return whether there are no pairs."""
        return not self._pairs

    def renamed(self, name: str) -> str:
        """Return the new name of one tensor."""
        for pattern, template in self._pairs:
            name = pattern.sub(template.expanded, name)
        return name

    def __call__(self, names: Sequence[str]) -> list[str]:
        """Return the new name of each: a step of `naming.steps`."""
        return [self.renamed(name) for name in names]
