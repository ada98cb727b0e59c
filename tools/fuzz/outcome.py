"""What became of an input: read, refused, or wrong."""

import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from burnpack.errors import BurnpackError
from tools.fuzz.guard import Guard
from tools.fuzz.lines import ROOT, Lines, TooMuch

CALLS = 400_000  # of Python's functions that an input may take
CALLS_EACH = 400  # more, for each of its bytes
_FOLDERS = ("host", "shared", "device")


class Differs(Exception):
    """Two that must agree say different things of an input."""


@dataclass(frozen=True)
class Outcome:
    """What became of an input.

    verdict: what was read, or which error refused it. wrong: None, or the rule that was broken and where, the
    same text for all inputs that do so. detail: a traceback, or what was said.
    """

    verdict: str
    wrong: str | None = None
    detail: str = ""


def of(read: Callable[[bytes], str], data: bytes, guard: Guard, lines: Lines) -> Outcome:
    """Return what becomes of an input on this interpreter."""
    lines.most = CALLS + CALLS_EACH * len(data)
    try:
        with guard.held():
            return Outcome("read " + str(lines.watch(lambda: read(data))))
    except BurnpackError as error:
        return _of_error(error)
    except KeyboardInterrupt:
        raise
    except TooMuch as error:
        return Outcome("too much", "too many calls" + _where(error), traceback.format_exc())
    except BaseException as error:
        kind = type(error).__name__
        detail = f": {error}" if isinstance(error, Differs) else _where(error)
        return Outcome(kind, f"{kind}{detail}", traceback.format_exc())


def _of_error(error: BurnpackError) -> Outcome:
    text = str(error)
    if len(text.splitlines()) != 1 or any(ord(letter) < ord(" ") for letter in text):
        return Outcome("lines", "an error that is not one printable line" + _where(error), text)
    kinds = "".join(letter for letter in error.what if not letter.isdigit())
    return Outcome(f"{type(error).__name__} {kinds[:60]}")


def _where(error: BaseException) -> str:
    """Return the innermost place in the project at which an error was raised."""
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        path = Path(frame.filename)
        if path.is_relative_to(ROOT) and path.relative_to(ROOT).parts[0] in _FOLDERS:
            return f" in {path.relative_to(ROOT).as_posix()}, {frame.name}"
    return ""
