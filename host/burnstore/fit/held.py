"""What MicroPython keeps alive although nobody needs it: the values of a statement that is not over.

A call's arguments stay in the caller's frame until something else is put there, so in `f(g(h(x)))` the
answers of h and g are alive until f has answered. Python lets go of them earlier.
"""

import ast
import sys
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import CodeType, FrameType


@dataclass(frozen=True)
class _Place:
    """Where in a running function a call is made."""

    frame: int
    code: CodeType
    statement: int
    instruction: int


class Held:
    """Answers of calls, each with the place that it was given to."""

    def __init__(self) -> None:
        self._answers: list[tuple[_Place, object]] = []

    def hold(self, answer: object, depth: int = 1) -> None:
        """Hold what the function `depth` levels above the caller has been given."""
        place = _place(sys._getframe(depth + 1))
        self.let_go(depth + 1)
        self._answers.append((place, answer))

    def let_go(self, depth: int = 1) -> None:
        """Let go of what belongs to a statement, `depth` levels above the caller or higher, that is over."""
        running = {}
        frame: FrameType | None = sys._getframe(depth + 1)
        while frame is not None:
            place = _place(frame)
            running[place.frame, place.code, place.statement] = place.instruction
            frame = frame.f_back
        # Within one statement, calls come in the order of their instructions; in a loop they begin again.
        self._answers = [
            (place, answer)
            for place, answer in self._answers
            if running.get((place.frame, place.code, place.statement), -1) > place.instruction
        ]


def _place(frame: FrameType) -> _Place:
    statements = _statements(frame.f_code.co_filename)
    return _Place(id(frame), frame.f_code, statements.get(frame.f_lineno, frame.f_lineno), frame.f_lasti)


@cache
def _statements(file: str) -> dict[int, int]:
    """Return {line: the line on which the innermost statement begins that covers it} of a source file."""
    try:
        tree = ast.parse(Path(file).read_text(encoding="utf-8"))
    except (OSError, SyntaxError, ValueError):
        return {}
    found = {}
    for node in ast.walk(tree):  # outer statements come first
        if isinstance(node, ast.stmt):
            found.update(dict.fromkeys(range(node.lineno, (node.end_lineno or node.lineno) + 1), node.lineno))
    return found
