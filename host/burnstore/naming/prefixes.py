"""What wrappers put before every name of a checkpoint, taken off on request."""

from collections.abc import Sequence

PREFIXES = ("module.", "_orig_mod.", "model.")  # of DataParallel, torch.compile, Lightning and the like

# torch.compile of a part leaves this in the middle; it is no name that a person gives.
_COMPILED = "._orig_mod."


class Stripped:
    """A step of `naming.steps`: takes the prefixes off that all names have, however often they have them.

    `_orig_mod` goes where it is in the middle, too, if it is among the prefixes.
    """

    def __init__(self, prefixes: Sequence[str] = PREFIXES) -> None:
        self._prefixes = prefixes

    def __call__(self, names: Sequence[str]) -> list[str]:
        """Return the new name of each."""
        rest = list(names)
        if _COMPILED[1:] in self._prefixes:
            rest = [_without_compiled(name) for name in rest]
        start = 0
        while prefix := self._of_all(rest, start):
            start += len(prefix)
        return [name[start:] for name in rest]

    def _of_all(self, names: Sequence[str], start: int) -> str:
        """Return a prefix that all the names have at `start`, with something behind it, or an empty text."""
        for prefix in self._prefixes:
            most = start + len(prefix)
            if (
                prefix
                and names
                and all(name.startswith(prefix, start) and len(name) > most for name in names)
            ):
                return prefix
        return ""


def _without_compiled(name: str) -> str:
    while _COMPILED in name:
        name = name.replace(_COMPILED, ".")
    return name
