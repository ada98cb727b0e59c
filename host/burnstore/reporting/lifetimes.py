"""How long each value lies in an arena: from the step that makes it to the last that reads it."""

from collections.abc import Sequence
from dataclasses import dataclass

from burnstore.drawing.arena import Arena, Value
from burnstore.programs.reading import Program, Span


@dataclass
class Lifetime:
    """A value. span: its bytes of the arena. first, last: the numbers of the steps between which it lies."""

    name: str
    span: Span
    first: int
    last: int


class _Tracking:
    def __init__(self) -> None:
        self.arena = Arena()
        self.found: list[Lifetime] = []

    def write(self, name: str, span: Span, step: int) -> None:
        value = Value(len(self.found), f"{name}@{step}", span, ())
        self.found.append(Lifetime(name, span, step, step))
        self.arena.write(value)

    def read(self, spans: Sequence[Span], step: int) -> None:
        for value in self.arena.read(spans):
            self.found[value.box].last = step


def lifetimes(program: Program, names: Sequence[str]) -> list[Lifetime]:
    """Return all values of a program. names: of its steps."""
    tracking, end = _Tracking(), max(0, len(program.steps) - 1)
    for kind, given in (("input", program.inputs), ("state", program.states)):
        for number, each in enumerate(given):
            tracking.write(f"{kind} {number}", each.span, 0)
    for number, (name, step) in enumerate(zip(names, program.steps, strict=True)):
        tracking.read(step.reads, number)
        for span in step.writes:
            tracking.write(name, span, number)
    tracking.read([each.span for each in (*program.outputs, *program.states)], end)
    return tracking.found
