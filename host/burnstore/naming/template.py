"""What a matched pattern is replaced by, in the syntax of Rust's regular expressions.

    $name ${name}  the group called so, or of that number; a bare name is as long as it can be
    \\1            the group of that number, as Python writes it
    $$             a dollar sign

A `$` or a `\\` before anything else stands for itself, and a group that took no part is empty.
"""

import re

from burnpack.errors import Malformed

_REFERENCE = re.compile(r"\$\$|\$\{([^}]*)\}|\$([0-9A-Za-z_]+)|\\([0-9]+)")


class Template:
    """A replacement that belongs to a pattern. Raises `Malformed` for a group that the pattern lacks.

    text: as it was given.
    """

    def __init__(self, text: str, pattern: re.Pattern[str]) -> None:
        self.text = text
        self._parts: list[str | int] = []  # a text, or the number of a group
        end = 0
        for found in _REFERENCE.finditer(text):
            self._parts += [text[end : found.start()], _part(found, pattern, text)]
            end = found.end()
        self._parts.append(text[end:])

    def expanded(self, match: re.Match[str]) -> str:
        """Return the text that takes the place of a match."""
        return "".join(part if isinstance(part, str) else match[part] or "" for part in self._parts)


def _part(found: re.Match[str], pattern: re.Pattern[str], text: str) -> str | int:
    if found[0] == "$$":
        return "$"
    name = next(group for group in found.groups() if group is not None)
    if name.isascii() and name.isdigit() and len(name) < 4 and int(name) <= pattern.groups:
        return int(name)
    if name in pattern.groupindex:
        return pattern.groupindex[name]
    raise Malformed(f'no group "{name}" in the pattern{_meant(found, name)}', text, found=pattern.pattern)


def _meant(found: re.Match[str], name: str) -> str:
    """Return what was meant by "$1a", which names the group "1a"."""
    number = re.match("[0-9]+", name)
    if found[2] is None or number is None or number[0] == name:
        return ""
    return f': "${{{number[0]}}}{name[number.end() :]}" is group {number[0]} and a text'
