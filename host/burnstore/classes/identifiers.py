"""Names out of files, as parts of a source: none becomes code that a person would not have written."""

import builtins
import keyword
import re
from collections.abc import Container, Iterable
from functools import cache

from burnpack.errors import Unsupported
from burnrt import nn

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")  # ASCII: Python reads other letters as their likes
_LONGEST = 40  # letters of a name that is made of one in a file
_WORDS = frozenset((*keyword.kwlist, *keyword.softkwlist, *dir(builtins), "self", "nn", "F"))
_OWN = frozenset((*dir(nn.Module), "forward"))


def is_plain(name: str) -> bool:
    """Tell whether a name can stand behind `self.` as it is."""
    is_mangled = name.startswith("__") and not name.endswith("__")
    return bool(_PLAIN.fullmatch(name)) and not keyword.iskeyword(name) and not is_mangled


def is_word(name: str) -> bool:
    """Tell whether a name can be that of a value, class or argument."""
    return is_plain(name) and not name.startswith("_") and name not in _WORDS


def check_attribute(name: str, path: str) -> None:
    """Raise `Unsupported` for a name that no part of a module can have: modules themselves need it."""
    if not name or name in _OWN:
        raise Unsupported("a part can't have this name, which each module has already", path, found=name)


def checked(name: str, what: str) -> str:
    """Return a name that code is made of. what: whose. Raises `Unsupported` for what is no name."""
    if not is_plain(name) or name.startswith("_"):
        raise Unsupported(f"no name of {what}", name)
    return name


class Names:
    """Names that are taken, and those that follow on them. others: what else takes names."""

    def __init__(self, *others: Container[str]) -> None:
        self._others = others
        self._own: set[str] = set()
        self._numbers: dict[str, int] = {}

    def __contains__(self, name: object) -> bool:
        return name in self._own or any(name in other for other in self._others)

    def take(self, name: str) -> str:
        """Take a name, with a number behind it where it is taken; return it."""
        found, number = name, self._numbers.get(name, 1)
        while found in self:
            number += 1
            found = f"{name}{number}"
        self._numbers[name] = number
        self._own.add(found)
        return found

    def leave(self, name: str) -> None:
        """Let a name be taken again."""
        self._own.discard(name)


def class_name(text: str) -> str:
    """Return a name for a class that is called `text` elsewhere, which is that of no layer.

    A class with the name of a layer would be taken for one, and its weights turned.
    """
    name = text.strip("_") if is_plain(text) and len(text) <= _LONGEST else ""
    name = name[:1].upper() + name[1:]
    if not is_word(name) or is_layer(name):
        name = name + "Block"
    return name if is_word(name) else "Block"


@cache
def is_layer(name: str) -> bool:
    """Tell whether `burnrt.nn` has something of this name."""
    return any(name in line.split() for table in (nn.HOMES, nn.ALIASES) for line in table.split("\n"))


def value_name(parts: Iterable[str]) -> str | None:
    """Return the name of what a part of a module makes, or None. parts: of its path, from the last on.

    What is numbered is called after its list.
    """
    digits = ""
    for part in parts:
        if not part.isdecimal() or digits:
            name = part.strip("_").lower() + digits
            return name if is_word(name) and len(name) <= _LONGEST else None
        digits = part
    return None


def text_literal(text: str) -> str:
    """Return a text as Python source: ASCII, on one line, in the quotes that ruff would use."""
    escaped = text.encode("unicode_escape", "surrogatepass").decode("ascii")
    if '"' in text and "'" not in text:
        return f"'{escaped}'"
    escaped = escaped.replace('"', '\\"')
    return f'"{escaped}"'
