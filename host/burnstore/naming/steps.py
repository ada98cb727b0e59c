"""Names changed in steps, and tensors under their new names."""

from collections.abc import Callable, Iterable, Sequence

from burnpack.errors import DuplicateName
from burnpack.listing import Listing
from burnpack.tensor import Tensor

Step = Callable[[Sequence[str]], list[str]]


def renamed(names: Sequence[str], steps: Iterable[Step]) -> list[str]:
    """Return the new name of each. Raises `DuplicateName`, which names both, where two become one."""
    found = list(names)
    for step in steps:
        found = step(found)
    _check(names, found)
    return found


def renamed_tensors(tensors: Iterable[Tensor], steps: Iterable[Step]) -> list[Tensor]:
    """Return the tensors under their new names, in the same order, their bytes still unread."""
    known = list(tensors)
    names = renamed([tensor.name for tensor in known], steps)
    return [
        tensor if tensor.name == name else tensor.renamed(name)
        for tensor, name in zip(known, names, strict=True)
    ]


def renamed_with_pairs(tensors: Iterable[Tensor], step: Step) -> tuple[list[Tensor], list[tuple[str, str]]]:
    """Return the tensors under the names that a step gives them, and a (new, old) pair of names for each."""
    known = list(tensors)
    found = renamed_tensors(known, [step])
    return found, [(new.name, old.name) for new, old in zip(found, known, strict=True)]


class NamedListing(Listing):
    """Tensors by name, and what to call their source in errors.

    notes: what a person should know of them. metadata: the source's (key, text) pairs.
    """

    def __init__(
        self,
        tensors: Iterable[Tensor],
        source: str | None,
        notes: Iterable[str] = (),
        metadata: Iterable[tuple[str, str]] = (),
    ) -> None:
        super().__init__(tensors)
        self.source = source
        self.notes = list(notes)
        self._metadata = list(metadata)

    def metadata(self) -> list[tuple[str, str]]:
        """Return the source's metadata as a list of (key, value) texts."""
        return list(self._metadata)


def _check(names: Sequence[str], found: Sequence[str]) -> None:
    if len(set(found)) == len(found):
        return
    first: dict[str, str] = {}
    for old, new in zip(names, found, strict=True):
        if new in first:
            raise DuplicateName("two names become this one", new, found=f"{first[new]} and {old}")
        first[new] = old
