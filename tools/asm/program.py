"""The parts of a module, from the lines of its source."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from tools.asm.encoder import Unknown, called, encoded
from tools.asm.instructions import CONDITIONS, KNOWN
from tools.asm.source import Line, Reader, operands


class Python(NamedTuple):
    """Lines of the module as they are."""

    lines: list[str]


class Constant(NamedTuple):
    name: str
    value: int
    comment: str


class Comment(NamedTuple):
    """A comment of its own lines; an empty one is a blank line."""

    text: str


class Label(NamedTuple):
    name: str


class Instruction(NamedTuple):
    """An instruction in Arm's syntax, numbers in digits; `names` are those that its source has for them.

    call: the call of MicroPython's assembler; "" where it has none, and `code` are the halfwords.
    """

    text: str
    names: list[str]
    call: str
    code: list[int]
    comment: str


class Slot(NamedTuple):
    """A place on the stack, in bytes from its end."""

    name: str
    start: int
    comment: str


class Function(NamedTuple):
    name: str
    arguments: list[str]
    slots: list[Slot]
    body: "list[Comment | Label | Instruction]"


Part = Python | Constant | Comment | Function

NAME = re.compile(r"[A-Za-z_]\w*")
SUM = re.compile(r"(-?\d+) ([+-]) (\d+)")
BRANCHES = {syntax.split(" ")[0] for syntax, _ in KNOWN if syntax.endswith(" LABEL")}
OPPOSITES = dict(zip(CONDITIONS[::2] + CONDITIONS[1::2], CONDITIONS[1::2] + CONDITIONS[::2], strict=True))


def parts(path: Path) -> list[Part]:
    """Return the parts of the module that a source describes; raises `SourceError`."""
    return list(_Parser(Reader().lines(path)).parts())


class _Parser:
    """Takes lines; knows the names of numbers, and which instructions an `it` makes conditional."""

    def __init__(self, lines: Iterator[Line]) -> None:
        self.lines = lines
        self.constants: dict[str, int] = {}
        self.numbers: dict[str, int] = {}  # of constants, and in a function of its places on the stack
        self.conditions: list[str] = []  # of the instructions to come

    def parts(self) -> Iterator[Part]:
        for line in self.lines:
            word = line.text.split(" ")[0]
            if word == ".python":
                yield Python([inner.text for inner in self._block(line)])
            elif word == ".equ":
                yield self._constant(line)
            elif word == ".function":
                yield self._function(line)
            elif line.text:
                raise line.error("no directive: %s" % line.text)
            else:
                yield Comment(line.comment)

    def _block(self, head: Line) -> Iterator[Line]:
        """Yield the lines until .end."""
        for line in self.lines:
            if line.text == ".end":
                return
            yield line
        raise head.error("has no .end")

    def _constant(self, line: Line) -> Constant:
        name, value = operands(line.text)
        self.constants[name] = int(value, 0)
        return Constant(name, int(value, 0), line.comment)

    def _function(self, head: Line) -> Function:
        name, *arguments = operands(head.text)
        self.numbers, self.conditions = self.constants, []
        slots: list[Slot] = []
        body: list[Comment | Label | Instruction] = []
        for line in self._block(head):
            if line.text.startswith(".stack"):
                slots = list(self._stack(line))
            else:
                body.append(self._statement(line))
        return Function(name, arguments, slots, body)

    def _stack(self, head: Line) -> Iterator[Slot]:
        size, start = int(operands(head.text)[0]), 0
        self.numbers = self.constants | {"STACK": size}
        for line in self._block(head):
            name, _, rest = line.text.partition(" ")
            if rest.startswith("= "):
                other, _, more = rest[2:].partition(" + ")
                self.numbers[name] = self.numbers[other] + int(more or 0)
                yield Slot(name, self.numbers[name], line.comment)
                continue
            if name:
                self.numbers[name] = start
            yield Slot(name, start, line.comment)
            start += int(rest or 4) if name else 0
        if start > size:
            raise head.error("its places take %d bytes" % start)

    def _statement(self, line: Line) -> Comment | Label | Instruction:
        if not line.text:
            return Comment(line.comment)
        if line.text.endswith(":"):
            return Label(line.text[:-1])
        return self._instruction(line)

    def _instruction(self, line: Line) -> Instruction:
        text, is_conditional = self._without_condition(line)
        is_branch = text.partition(" ")[0] in BRANCHES
        names = [] if is_branch else [name for name in NAME.findall(text) if name in self.numbers]
        digits = self._in_digits(text, names)
        try:
            call = called(digits, self._shown(text, names), is_conditional)
            code = [] if call else encoded(digits, is_conditional)
        except Unknown as error:
            raise line.error(str(error)) from error
        return Instruction(self._in_digits(line.text, names), names, call or "", code, line.comment)

    def _without_condition(self, line: Line) -> tuple[str, bool]:
        """Return an instruction without the condition in its name that the `it` before it gave it."""
        name, space, rest = line.text.partition(" ")
        if not self.conditions:
            if name in ("it", "ite"):
                self.conditions = [rest, OPPOSITES.get(rest, "")][: len(name) - 1]
            return line.text, False
        condition = self.conditions.pop(0)
        base, dot, kind = name.partition(".")
        if not base.endswith(condition):
            raise line.error("is to be done where %s" % condition)
        return base.removesuffix(condition) + dot + kind + space + rest, True

    def _in_digits(self, text: str, names: list[str]) -> str:
        """Return an instruction with numbers for names."""
        digits = NAME.sub(lambda name: str(self.numbers[name[0]]) if name[0] in names else name[0], text)
        return SUM.sub(lambda found: str(int(found[1]) + int(found[2] + found[3])), digits)

    def _shown(self, text: str, names: list[str]) -> str:
        """Return an instruction with the module's names for constants, and numbers for the others."""
        if any(name not in self.constants for name in names) or " + " in text or " - " in text:
            return self._in_digits(text, names)
        return NAME.sub(lambda name: "_" + name[0] if name[0] in names else name[0], text)
