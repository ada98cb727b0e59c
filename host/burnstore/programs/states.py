"""States as a person asks for them: by names or numbers of inputs, and numbers of the outputs they become."""

from collections.abc import Iterable

from burnpack.errors import NotFound, Unsupported
from burnpack.module import Module
from burnstore.models.running import input_names

_DIGITS = 9  # of an input's number: more than any has


def places_of(model: Module, ties: Iterable[tuple[str | int, int]]) -> dict[int, int]:
    """Return {place of an input of `forward`: place of the output that it becomes}.

    ties: an input's name, or its number as text or not, and the output's number.
    Raises `NotFound` for a name that no input has, `Unsupported` for an input that is tied twice.
    """
    names, found = input_names(model), dict[int, int]()
    for given, made in ties:
        place = _place(names, str(given))
        if place in found:
            raise Unsupported("is a state twice, of which one would be lost", f"the input {given}")
        found[place] = made
    return found


def _place(names: list[str], given: str) -> int:
    if given in names:
        return names.index(given)
    if not (given.isdecimal() and given.isascii() and len(given) < _DIGITS):
        raise NotFound(
            "no input has the name of this state", given, found=", ".join(names) or "none with a name"
        )
    return int(given)
