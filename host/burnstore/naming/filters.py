"""Which parameters a store takes: `burnpack.filter`, and all that Burn's filters have besides."""

import json
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Self

from burnpack import filter as shared
from burnstore.naming.patterns import Pattern

if TYPE_CHECKING:
    from burnpack.types import Filter

Predicate = Callable[[str, str], bool]


class PathFilter(shared.PathFilter):
    """Which parameters are meant: criteria joined by OR, patterns among them; without any, none.

    The methods that add or remove criteria return the filter, so that calls chain. `str` of a filter is the
    text that Burn shows.
    """

    def __init__(self) -> None:
        super().__init__()
        self._patterns: list[Pattern] = []
        self._everything = False

    @classmethod
    def all(cls) -> Self:
        """Return a filter that lets every parameter pass."""
        return cls().match_all()

    @classmethod
    def none(cls) -> Self:
        """Return a filter that lets nothing pass."""
        return cls()

    @classmethod
    def from_regex_patterns(cls, patterns: Iterable[str]) -> Self:
        """Return a filter of these patterns, as `with_regexes` adds them."""
        return cls().with_regexes(patterns)

    @classmethod
    def from_paths(cls, paths: Iterable[str]) -> Self:
        """Return a filter of these exact paths."""
        return cls().with_full_paths(paths)

    @classmethod
    def from_predicate(cls, predicate: Predicate) -> Self:
        """Return a filter of one predicate, as `with_predicate` adds it."""
        return cls().with_predicate(predicate)

    def with_regex(self, pattern: str) -> Self:
        """Let the parameters pass in whose path `pattern` is found anywhere. Raises `Malformed` at once."""
        self._patterns.append(Pattern(pattern))
        return self

    def with_regexes(self, patterns: Iterable[str]) -> Self:
        """Let the parameters pass in whose path any of the patterns is found."""
        for pattern in patterns:
            self.with_regex(pattern)
        return self

    def match_all(self) -> Self:
        """Let every parameter pass."""
        self._everything = True
        return self

    def with_filter(self, given: "Filter") -> Self:
        """Let the parameters pass that another filter lets pass as it is now."""
        if not isinstance(given, shared.PathFilter):
            return self.with_predicate(lambda path, within: given.matches(path, tuple(within.split("."))))
        if isinstance(given, PathFilter):
            self._everything = self._everything or given._everything
            self._patterns += given._patterns
        return self.with_full_paths(given._paths).with_predicates(given._predicates)

    def or_(self, other: "PathFilter") -> "PathFilter":
        """Return a new filter of the criteria of both; `one | other` does the same."""
        return PathFilter().with_filter(self).with_filter(other)

    __or__ = or_

    def is_empty(self) -> bool:
        """Return whether there are no criteria."""
        return self.criteria_count() == 0

    def criteria_count(self) -> int:
        """Return how many criteria there are; that all pass is one, whatever else was given."""
        if self._everything:
            return 1
        return len(self._paths) + len(self._predicates) + len(self._patterns)

    def clear(self) -> Self:
        """Remove all criteria, that all pass among them."""
        self._everything = False
        return self.clear_regex().clear_paths().clear_predicates()

    def clear_regex(self) -> Self:
        """Remove the patterns."""
        self._patterns.clear()
        return self

    def clear_paths(self) -> Self:
        """Remove the exact paths."""
        self._paths.clear()
        return self

    def clear_predicates(self) -> Self:
        """Remove the predicates."""
        self._predicates.clear()
        return self

    def matches(self, path: str, containers: Sequence[str] = ()) -> bool:
        """Return whether the parameter at `path`, within `containers`, passes."""
        found = self._everything or any(pattern.found_in(path) for pattern in self._patterns)
        return found or super().matches(path, containers)

    def __str__(self) -> str:
        if self._everything:
            return "PathFilter::all()"
        shown = []
        if self._patterns:
            shown.append(f"regex: [{', '.join(f'Regex({_quoted(one.text)})' for one in self._patterns)}]")
        if self._paths:
            shown.append(f"paths: [{', '.join(map(_quoted, self._paths))}]")
        if self._predicates:
            shown.append(f"predicates: {len(self._predicates)}")
        return f"PathFilter[{', '.join(shown)}]" if shown else "PathFilter::none()"

    __repr__ = __str__


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
