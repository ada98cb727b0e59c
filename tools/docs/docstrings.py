"""Docstrings, written as Markdown.

A docstring is a first line and paragraphs of plain text, with names in backticks. A line `name: text` or
`name, name: text` describes arguments or attributes; "- " begins an item of a list. Lines that go on with
either are indented. A paragraph that is indented as a whole is code or a formula.
"""

import re
from collections.abc import Callable

Linked = Callable[[str], str]  # makes Markdown of what stands between backticks

_NAMED = re.compile(r"(\*{0,2}\w+(?:, \*{0,2}\w+)*): ")
_CODE = re.compile(r"`([^`]+)`")
_SPECIAL = re.compile(r"([\\*_<>\[\]|$#~^])")


def first_line(docstring: str) -> str:
    """Return the first line of a docstring, which says all in short."""
    return docstring.strip().partition("\n")[0]


def markdown(docstring: str, linked: Linked) -> str:
    """Return a docstring as Markdown.

    linked: makes Markdown of what stands between backticks.
    """
    blocks = re.split(r"\n\s*\n", docstring.strip("\n"))
    return (
        "\n\n".join([block if block.startswith("    ") else _paragraph(block, linked) for block in blocks])
        + "\n"
    )


def described(docstring: str) -> list[str]:
    """Return the names of the arguments and attributes that a docstring describes."""
    found = [_NAMED.match(line) for line in docstring.split("\n")[1:]]
    return [name.strip("*") for named in found if named for name in named[1].split(", ")]


def escaped(text: str, linked: Linked) -> str:
    """Return one line of a docstring as Markdown."""
    parts = _CODE.split(text)
    return "".join([linked(part) if place % 2 else _plain(part) for place, part in enumerate(parts)])


def _plain(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)


def _paragraph(block: str, linked: Linked) -> str:
    """Return a paragraph, with a list of what its lines name."""
    lines: list[str] = []
    listing = False
    for line in block.split("\n"):
        named = _NAMED.match(line)
        if named:
            text = f"- **{_plain(named[1])}**: {escaped(line[named.end() :], linked)}"
        elif line.startswith("- "):
            text = "- " + escaped(line[2:], linked)
        else:
            text = ("  " if line.startswith(" ") else "") + escaped(line.strip(), linked)
        if listing != text.startswith(("- ", "  ")):
            lines.append("")  # where a list begins or ends
            listing = not listing
        lines.append(text)
    return "\n".join(lines)
