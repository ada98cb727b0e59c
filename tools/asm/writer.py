"""A kernel's module as text, from its parts."""

import re
from collections.abc import Iterator

from tools.asm.program import Comment, Constant, Function, Instruction, Label, Part, Python, Slot

MARK = "# Generated from "
HEAD = MARK + "%s by `python -m tools.asm`: change that, not this.\n# ruff: noqa: F821\n"


def module(parts: list[Part], source: str) -> str:
    """Return the module with these parts; `source` is the file that they come from."""
    used = set(_used(parts))
    lines: list[str] = []
    for part in parts:
        if isinstance(part, Function):
            lines += ["", "", *_function(part)]
        elif not isinstance(part, Constant) or part.name in used:
            lines += _top(part)
    return HEAD % source + _spaced(lines)


def _used(parts: list[Part]) -> Iterator[str]:
    """Yield the names that functions have for numbers, and those that Python has."""
    for part in parts:
        if isinstance(part, Function):
            yield from (name for line in part.body if isinstance(line, Instruction) for name in line.names)
        elif isinstance(part, Python):
            yield from re.findall(r"\b_(\w+)\b", "\n".join(part.lines))


def _top(part: Python | Constant | Comment) -> list[str]:
    if isinstance(part, Python):
        return part.lines
    if isinstance(part, Constant):
        return ["_%s = const(%d)%s" % (part.name, part.value, _behind(part.comment))]
    return [_behind(part.text).strip()]


def _function(function: Function) -> Iterator[str]:
    yield "@micropython.asm_thumb"
    yield "def %s(%s):" % (function.name, ", ".join(function.arguments))
    if function.slots:
        yield "    # What is on the stack, in bytes from its end:"
    for slot in function.slots:
        yield _slot(slot)
    yield from (_statement(line) for line in function.body)


def _slot(slot: Slot) -> str:
    if not slot.name:  # what is said of the one before goes on
        return "    #         %s" % slot.comment
    return "    # %4d  %s%s" % (slot.start, slot.name, ": " + slot.comment if slot.comment else "")


def _statement(line: Comment | Label | Instruction) -> str:
    if isinstance(line, Comment):
        return "    " + _behind(line.text).strip() if line.text else ""
    if isinstance(line, Label):
        return "    label(%s)" % line.name
    if line.call:
        return "    %s%s" % (line.call, _behind(line.comment))
    halves = ", ".join("0x%04X" % half for half in line.code)
    notes = [line.text, ", ".join(line.names), line.comment]
    return "    data(2, %s)%s" % (halves, _behind("; ".join(filter(None, notes))))


def _behind(comment: str) -> str:
    return "  # " + comment if comment else ""


def _spaced(lines: list[str]) -> str:
    """Return lines as one text: no more than two empty ones together, none at the end."""
    return re.sub(r"\n{4,}", "\n\n\n", "\n".join(lines).strip("\n")) + "\n"
