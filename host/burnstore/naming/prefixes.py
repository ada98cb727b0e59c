"""What stands before the names of a checkpoint, taken off on request."""

from collections.abc import Iterable, Sequence

WRAPPERS = ("module.", "_orig_mod.", "model.")  # of DataParallel, torch.compile, Lightning and the like

_COMPILED = "_orig_mod."  # torch.compile of a part leaves it in the middle; it is no name that a person gives


class Stripped:
    """A step of `naming.steps`: takes prefixes off the names that have them, one after the other, each once.

    `_orig_mod.` goes wherever it is, and as often.
    """

    def __init__(self, prefixes: Iterable[str]) -> None:
        self._prefixes = [prefix for prefix in prefixes if prefix]

    def __call__(self, names: Sequence[str]) -> list[str]:
        """Return the new name of each. None becomes empty."""
        rest = list(names)
        for prefix in self._prefixes:
            if prefix == _COMPILED:
                rest = [_without_compiled(name) for name in rest]
            else:
                rest = [name.removeprefix(prefix) or name for name in rest]
        return rest


class Unwrapped:
    """A step of `naming.steps`: takes off what wrappers put before all names, however often they have it."""

    def __call__(self, names: Sequence[str]) -> list[str]:
        """Return the new name of each."""
        rest = [_without_inner(name) for name in names]
        start = 0
        while prefix := _of_all(rest, start):
            start += len(prefix)
        return [name[start:] for name in rest]


def stripping(prefix: str) -> Stripped | Unwrapped:
    """Return the step for a prefix; for an empty one, that for the usual wrappers."""
    return Stripped([prefix]) if prefix else Unwrapped()


def _of_all(names: Sequence[str], start: int) -> str:
    """Return the wrapper's prefix that all the names have at `start`, with something behind it, or ""."""
    for prefix in WRAPPERS:
        most = start + len(prefix)
        if names and all(name.startswith(prefix, start) and len(name) > most for name in names):
            return prefix
    return ""


def _without_compiled(name: str) -> str:
    return _without_inner(name).removeprefix(_COMPILED) or name


def _without_inner(name: str) -> str:
    while "." + _COMPILED in name:
        name = name.replace("." + _COMPILED, ".")
    return name
