"""Which parameters a store takes: `burnpack.filter`, and regular expressions."""

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Self

from burnpack import filter as shared
from burnstore.naming.patterns import compiled

if TYPE_CHECKING:
    from burnpack.types import Filter


class PathFilter(shared.PathFilter):
    """Criteria joined by OR; without any, nothing matches.

    Every method returns the filter, so that calls chain.
    """

    def __init__(self) -> None:
        super().__init__()
        self._patterns: list[re.Pattern[str]] = []

    def with_regex(self, pattern: str) -> Self:
        """Let the parameters pass in whose path `pattern` is found anywhere. Raises `Malformed` at once."""
        self._patterns.append(compiled(pattern))
        return self

    def with_regexes(self, patterns: Iterable[str]) -> Self:
        """Let the parameters pass in whose path any of the patterns is found."""
        for pattern in patterns:
            self.with_regex(pattern)
        return self

    def with_filter(self, given: "Filter") -> Self:
        """Let the parameters pass that another filter lets pass."""
        return self.with_predicate(lambda path, within: given.matches(path, tuple(within.split("."))))

    def matches(self, path: str, containers: Sequence[str]) -> bool:
        """Return whether the parameter at `path`, within `containers`, passes."""
        return any(pattern.search(path) for pattern in self._patterns) or super().matches(path, containers)
