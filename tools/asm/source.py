"""Reads assembly sources: line by line what they say once files are included and macros put in.

    .include "FILE"                that file's lines, by its path from this one; in `.stack`, too
    .macro NAME A, B=DEFAULT       until .endm: lines for which `NAME x, y` stands, x where they have \\A
    .python                        until .end: lines of the module as they are
    .equ NAME, NUMBER              a constant; `_NAME` in the module, where that or a function uses it
    .function NAME, ARGUMENT, ...  until .end: instructions
    .stack BYTES                   until .end: places on the stack from sp on, one behind the other: `NAME`,
                                   of 4 bytes, or `NAME BYTES`; `NAME = OTHER` is another name of a place,
                                   `NAME = OTHER + BYTES` of what lies so far behind it
    LABEL:
    INSTRUCTION; INSTRUCTION
    @ COMMENT                      goes into the module, but for those of included files between their macros

A label that a macro defines is its own: that of its second use in a function ends in _2.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple


class SourceError(Exception):
    """A source is not as it must be: its file, its line and why."""


class Line(NamedTuple):
    """A line of a source, its comment apart; both may be empty. `place` is where it stands, for errors."""

    text: str
    comment: str
    place: str

    def error(self, why: str) -> SourceError:
        return SourceError("%s: %s" % (self.place, why))


class Macro(NamedTuple):
    parameters: dict[str, str | None]  # their defaults
    lines: list[Line]
    labels: list[str]


WORD = re.compile(r"\w+")
SEPARATOR = re.compile(r", *(?![^\[{]*[\]}])")  # a comma that is in no brackets
COMMENT = re.compile(r"(?:^|(?<=\s))@ ?")
AS_THEY_ARE = (".python", ".stack")  # what is in these blocks names no macros


def operands(text: str) -> list[str]:
    """Return what stands between the commas behind a line's first word."""
    rest = text.partition(" ")[2].strip()
    return SEPARATOR.split(rest) if rest else []


class Reader:
    """Reads a source and what it includes."""

    def __init__(self) -> None:
        self.macros: dict[str, Macro] = {}
        self.uses: dict[str, int] = {}  # in this function, of each label of macros

    def lines(self, path: Path, is_included: bool = False) -> Iterator[Line]:
        """Yield all lines of a file, with includes and macros put in."""
        lines = iter(_lines(path))
        for line in lines:
            word = line.text.partition(" ")[0]
            if word == ".include":
                yield from self.lines(_included(line, path), is_included=True)
            elif word == ".macro":
                self._define(line, list(_until(".endm", line, lines)))
            elif word in AS_THEY_ARE:
                yield line
                yield from self._as_they_are(path, _until(".end", line, lines))
                yield Line(".end", "", line.place)
            elif word or not is_included:
                yield from self._expanded(line)

    def _as_they_are(self, path: Path, lines: Iterable[Line]) -> Iterator[Line]:
        """Yield lines of which none names a macro, with includes put in."""
        for line in lines:
            if line.text.startswith(".include "):
                yield from (each for each in _lines(_included(line, path)) if each.text)
            else:
                yield line

    def _define(self, head: Line, body: list[Line]) -> None:
        name, _, rest = head.text.partition(" ")[2].partition(" ")
        if name in self.macros:
            raise head.error("there is a macro %s already" % name)
        parameters: dict[str, str | None] = {}
        for parameter in operands(".macro " + rest):
            word, is_optional, default = parameter.partition("=")
            parameters[word] = default if is_optional else None
        labels = [line.text[:-1] for line in body if line.text.endswith(":")]
        self.macros[name] = Macro(parameters, body, labels)

    def _expanded(self, line: Line) -> Iterator[Line]:
        """Yield a line, or those that it stands for."""
        name = line.text.partition(" ")[0]
        if name == ".function":
            self.uses = {}
        if name not in self.macros:
            yield line
            return
        macro = self.macros[name]
        values, labels = _values(line, macro), {label: self._own(label) for label in macro.labels}
        for inner in macro.lines:
            text = WORD.sub(lambda word: labels.get(word[0], word[0]), inner.text)
            place = "%s, in %s" % (line.place, inner.place)
            yield from self._expanded(Line(_put(values, text), _put(values, inner.comment), place))

    def _own(self, label: str) -> str:
        count = self.uses[label] = self.uses.get(label, 0) + 1
        return label if count == 1 else "%s_%d" % (label, count)


def _values(line: Line, macro: Macro) -> dict[str, str]:
    """Return what a macro's parameters are in a line that uses it."""
    given = operands(line.text)
    values = {name: default for name, default in macro.parameters.items() if default is not None}
    values |= dict(zip(macro.parameters, given, strict=False))
    if len(given) > len(macro.parameters) or len(values) < len(macro.parameters):
        raise line.error(
            "%s takes %s" % (line.text.partition(" ")[0], ", ".join(macro.parameters) or "nothing")
        )
    return values


def _put(values: dict[str, str], text: str) -> str:
    return re.sub(r"\\(\w+)", lambda found: values.get(found[1], found[0]), text)


def _included(line: Line, path: Path) -> Path:
    found = path.parent / line.text.partition(" ")[2].strip('"')
    if not found.exists():
        raise line.error("there is no %s" % found)
    return found


def _lines(path: Path) -> Iterator[Line]:
    """Yield a file's lines; those of Python as they are, the others without what indents them."""
    is_python = False
    for number, raw in enumerate(path.read_text(encoding="utf-8").split("\n"), 1):
        place = "%s:%d" % (path.name, number)
        is_python = raw == ".python" or (is_python and raw != ".end")
        text, *comment = [raw] if is_python else COMMENT.split(raw, maxsplit=1)
        *before, last = [text] if is_python else text.strip().split("; ")
        yield from (Line(statement, "", place) for statement in before)
        yield Line(last, "".join(comment).rstrip(), place)


def _until(end: str, head: Line, lines: Iterator[Line]) -> Iterator[Line]:
    for line in lines:
        if line.text == end:
            return
        yield line
    raise head.error("has no %s" % end)
