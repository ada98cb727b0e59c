"""Which lines of the project run, and how many calls there were."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import CodeType, FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
_FOLDERS = tuple(str(ROOT / name) + "/" for name in ("host/burnstore", "shared/burnpack", "device/burnrt"))

_MONITORING: Any = getattr(sys, "monitoring", None)  # from Python 3.12 on
_TOOL = 3  # a number that neither debuggers nor coverage.py take
# Before Python 3.12 each line of a traced function takes a call. A function that was called so often is
# traced once in a while only, until it runs a line that is new.
_OFTEN = 64
_ONCE_IN = 32


class TooMuch(BaseException):
    """Reading an input takes more calls than it may. No `except Exception` keeps it from the fuzzer."""


class _Code:
    """A function's lines that have not run, and how often it was called since one of them did."""

    __slots__ = ("calls", "code", "left")

    def __init__(self, code: CodeType) -> None:
        ours = code.co_filename.startswith(_FOLDERS)
        self.code = code  # kept, so that its id is not used again
        self.left = {line for _, _, line in code.co_lines() if line} if ours else set()
        self.calls = 0


class Lines:
    """Watches the lines of the project.

    most: calls that a run may make. seen: how many different lines have run so far.
    calls: of the last run, how many calls of Python functions there were.
    """

    def __init__(self) -> None:
        self.most = sys.maxsize
        self.seen = 0
        self.calls = 0
        self._known: dict[int, _Code] = {}  # by the id of the code, whose hash is slow
        self._before: Any = None

    def watch(self, function: Callable[[], Any]) -> Any:
        """Return what `function` returns; count its calls and note the lines that it runs."""
        self.calls = 0
        self._begin()
        try:
            return function()
        finally:
            self._end()

    def forget(self) -> None:
        """Count all lines as new again."""
        self.seen = 0
        self._known.clear()
        if _MONITORING:
            _MONITORING.restart_events()

    def _begin(self) -> None:
        if not _MONITORING:
            self._before = sys.gettrace()
            sys.settrace(self._called)
            return
        events = _MONITORING.events
        _MONITORING.use_tool_id(_TOOL, "fuzz")
        _MONITORING.register_callback(_TOOL, events.PY_START, self._started)
        _MONITORING.register_callback(_TOOL, events.LINE, self._line_of)
        _MONITORING.set_events(_TOOL, events.PY_START | events.LINE)

    def _end(self) -> None:
        if not _MONITORING:
            sys.settrace(self._before)
            return
        _MONITORING.set_events(_TOOL, 0)
        _MONITORING.free_tool_id(_TOOL)

    def _new(self, code: CodeType) -> _Code:
        found = self._known[id(code)] = _Code(code)
        return found

    def _ran(self, code: CodeType, line: int) -> None:
        known = self._known.get(id(code)) or self._new(code)
        if line in known.left:
            known.left.remove(line)
            known.calls = 0
            self.seen += 1

    def _called(self, frame: FrameType, event: str, argument: Any) -> Any:
        """Trace a function whose lines have not all run; the others run at full speed."""
        self.calls += 1
        if self.calls > self.most:
            raise TooMuch(self.calls)
        code = frame.f_code
        known = self._known.get(id(code)) or self._new(code)
        if not known.left:
            return None
        known.calls += 1
        return None if known.calls > _OFTEN and known.calls % _ONCE_IN else self._line

    def _line(self, frame: FrameType, event: str, argument: Any) -> Any:
        if event == "line":
            self._ran(frame.f_code, frame.f_lineno)
        return self._line

    def _started(self, code: CodeType, offset: int) -> None:
        self.calls += 1
        if self.calls > self.most:
            raise TooMuch(self.calls)

    def _line_of(self, code: CodeType, line: int) -> Any:
        self._ran(code, line)
        return _MONITORING.DISABLE
