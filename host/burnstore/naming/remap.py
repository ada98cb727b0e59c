"""Names changed by patterns and replacements."""

import re
from collections.abc import Iterable, Sequence
from typing import Self

from burnpack.tensor import Tensor
from burnstore.naming.patterns import Pattern
from burnstore.naming.steps import renamed_with_pairs
from burnstore.naming.template import Template


class KeyRemapper:
    """Pairs of a pattern and a replacement, applied one after the other, each to the result of the last.

    pairs: of regular expressions and replacements. Every place where a pattern is found is replaced. In a
        replacement, `$1`, `${1}` and `\\1` are groups by number, `$name` and `${name}` by name, `$$` is a
        dollar sign.

    Both are checked when they are given: raises `Malformed`.
    """

    def __init__(self, pairs: Iterable[tuple[str, str]] = ()) -> None:
        self._pairs: list[tuple[Pattern, Template]] = []
        for pattern, replacement in pairs:
            self.add_pattern(pattern, replacement)

    @classmethod
    def from_patterns(cls, pairs: Iterable[tuple[str, str]]) -> Self:
        """Return a remapper with these pairs of a pattern and a replacement, as `KeyRemapper(pairs)` does."""
        return cls(pairs)

    def add_pattern(self, pattern: str, replacement: str) -> Self:
        """Add one more pair; return the remapper. Raises `Malformed`.

        pattern, replacement: as in `KeyRemapper`.
        """
        expression = Pattern(pattern)
        self._pairs.append((expression, Template(replacement, expression.compiled)))
        return self

    @property
    def patterns(self) -> list[tuple[str, str]]:
        """The pairs, each as it was given."""
        return [(pattern.text, template.text) for pattern, template in self._pairs]

    def to_regex_pairs(self) -> list[tuple[re.Pattern[str], str]]:
        """Return the pairs with each pattern compiled, as Python has it."""
        return [(pattern.compiled, template.text) for pattern, template in self._pairs]

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
            name = _replaced(pattern.compiled, template, name)
        return name

    def remap(self, tensors: Iterable[Tensor]) -> tuple[list[Tensor], list[tuple[str, str]]]:
        """Return the tensors under their new names, their bytes still unread, and (new, old) name pairs."""
        return renamed_with_pairs(tensors, self)

    def __call__(self, names: Sequence[str]) -> list[str]:
        """Return the new name of each tensor."""
        return [self.renamed(name) for name in names]


def _replaced(pattern: re.Pattern[str], template: Template, name: str) -> str:
    """Return the name with each match replaced; an empty one right behind another is none, as in Rust."""
    parts: list[str] = []
    start = copied = 0
    while start <= len(name) and (match := pattern.search(name, start)):
        if match.start() == match.end() == copied and parts:
            start = copied + 1
            continue
        parts += [name[copied : match.start()], template.expanded(match)]
        start = copied = match.end()
    return "".join(parts) + name[copied:]
