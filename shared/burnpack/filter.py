"""Which parameters a store takes: those that any one criterion matches."""

if False:  # for type checkers
    from collections.abc import Iterable, Sequence
    from typing import Self

    from burnpack.types import Predicate


class PathFilter:
    """Which parameters are meant: criteria joined by OR; without any, none.

    Every method that adds a criterion returns the filter, so that calls chain.
    """

    def __init__(self) -> None:
        self._paths: list[str] = []
        self._predicates: "list[Predicate]" = []

    def with_full_path(self, path: str) -> "Self":
        """Let the parameter at exactly this path pass."""
        self._paths.append(path)
        return self

    def with_full_paths(self, paths: "Iterable[str]") -> "Self":
        """Let the parameters at exactly these paths pass."""
        self._paths.extend(paths)
        return self

    def with_predicate(self, predicate: "Predicate") -> "Self":
        """Let the parameters pass for which `predicate(path, container_path)` is true.

        container_path: the containers joined with dots, as in "Struct:Net.Vec.Struct:Linear".
        """
        self._predicates.append(predicate)
        return self

    def with_predicates(self, predicates: "Iterable[Predicate]") -> "Self":
        """Let the parameters pass for which any of the predicates is true."""
        self._predicates.extend(predicates)
        return self

    def match_all(self) -> "Self":
        """Let every parameter pass."""
        return self.with_predicate(lambda path, container_path: True)

    def full_paths(self) -> list[str]:
        """Return the exact paths that were given."""
        return list(self._paths)

    def matches(self, path: str, containers: "Sequence[str]" = ()) -> bool:
        """Return whether the parameter at `path`, within `containers`, passes."""
        if path in self._paths:
            return True
        container_path = ".".join(containers)
        for predicate in self._predicates:
            if predicate(path, container_path):
                return True
        return False
