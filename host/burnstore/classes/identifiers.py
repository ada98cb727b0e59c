"""Names out of files, as parts of a source: none becomes code that a person would not have written."""

import builtins
import keyword
import re
from collections.abc import Container, Iterable

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


def class_name(text: str, taken: Container[str]) -> str:
    """Return a name for a class that is called `text` elsewhere, of no layer, and none that is taken.

    A class with the name of a layer would be taken for one, and its weights turned.
    """
    name = text.strip("_") if is_plain(text) and len(text) <= _LONGEST else ""
    name = name[:1].upper() + name[1:]
    if not is_word(name) or is_layer(name):
        name = name + "Block"
    return unused(name if is_word(name) else "Block", taken)


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


def unused(name: str, taken: Container[str]) -> str:
    """Return the name, with a number behind it where it is taken."""
    found, number = name, 1
    while found in taken:
        number += 1
        found = f"{name}{number}"
    return found


def text_literal(text: str) -> str:
    """Return a text as Python source: ASCII, on one line, in the quotes that ruff would use."""
    escaped = text.encode("unicode_escape", "surrogatepass").decode("ascii")
    if '"' in text and "'" not in text:
        return f"'{escaped}'"
    escaped = escaped.replace('"', '\\"')
    return f'"{escaped}"'
