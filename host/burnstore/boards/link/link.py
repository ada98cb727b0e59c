"""The link to a board: programs run there, and what they print comes back. mpremote carries it."""

import ast
import re
import struct
from collections.abc import Iterator
from contextlib import contextmanager, redirect_stdout
from types import TracebackType
from typing import Any

from burnpack.errors import SaveFailed, Unsupported, printable
from burnstore.boards.link.metered import metered

PATIENCE = 120  # seconds that a program on the board may be silent: flash is erased slowly
_READ = 10  # seconds until a read that gets nothing ends
_SAID_MOST = 64 << 10  # bytes that a program prints at most
_ERROR = 1000  # letters of an error on the board

# Prints what is free of the heap, and the size of its largest piece, nearly.
_ROOM = """\
import gc
gc.collect()
low, high = 0, gc.mem_free()
print(high, end=" ")
while high - low > 64:
    size = (low + high) // 2
    try:
        bytearray(size)
        low = size
    except MemoryError:
        high = size
    gc.collect()
print(low)
"""
_MISSING = "talking to a board needs mpremote: pip install 'burnstore[board]'"


class Link:
    """A board on a serial port, its interpreter soft-reset and waiting for programs; use it in a `with`.

    port: as mpremote takes it, or None for the first board on USB. Raises `SaveFailed` when there is no board
    or when it falls silent; what an interrupted command has left is then still there.
    """

    def __init__(self, port: str | None = None) -> None:
        try:
            from mpremote.transport import TransportError
            from mpremote.transport_serial import SerialTransport
            from serial import SerialException
        except ImportError:
            raise Unsupported(_MISSING) from None
        # Besides its own errors mpremote lets out those of the port, and of a reply that is cut short.
        # Its words are passed on as they are: where they are no text, it fails in any way.
        self._failures = (TransportError, SerialException, OSError, struct.error, ValueError)
        self.port = port or _first_port()
        self._board: Any = None
        try:
            self._board = SerialTransport(self.port, timeout=_READ)
            self._board.serial.write_timeout = PATIENCE
            self._meter = metered(self._board.serial)
            self.restart()
        except self._failures as error:
            self.close()
            raise self._failed(error) from error
        except SaveFailed:
            self.close()
            raise

    def restart(self) -> None:
        """Start the interpreter anew, without what programs have left on its heap."""
        self._meter.allow(_SAID_MOST, PATIENCE)
        try:
            with redirect_stdout(None):  # it prints what it can't make out
                self._board.enter_raw_repl()
        except self._failures as error:
            raise self._failed(error) from error

    def run(self, program: str) -> str:
        """Run a program on the board and return what it prints. Raises `SaveFailed` with its last error."""
        said, wrong = self._answers(program)
        if wrong.startswith("MemoryError"):
            wrong += self._room()
        if wrong:
            raise SaveFailed(f"the board raised {wrong}", source=self.port)
        return said

    def _answers(self, program: str) -> tuple[str, str]:
        """Return what a program prints, and its error or nothing."""
        self._meter.allow(_SAID_MOST + len(program), PATIENCE)  # a byte or less answers each
        try:
            with redirect_stdout(None):
                said, wrong = self._board.exec_raw(program, timeout=PATIENCE)
        except self._failures as error:
            raise self._failed(error) from error
        return said.decode(errors="replace").replace("\r\n", "\n"), _raised(wrong) if wrong else ""

    def _room(self) -> str:
        """Return what is left of the board's heap, as an error has it behind what was wrong."""
        said, wrong = self._answers(_ROOM)
        found = re.fullmatch(r"(\d{1,18}) (\d{1,18})\s*", said)
        if wrong or not found:
            return ""
        free, most = map(int, found.groups())
        return f" (without it, {free:,} bytes of heap are free, {most:,} of them in one piece)"

    def ask(self, program: str, form: Any = object) -> Any:
        """Run a program and return the value whose repr it prints last, on a line of its own.

        form: what that must be: a type, a tuple with a form for each item, or a list with one for all.
        """
        said = self.run(program).strip().rpartition("\n")[2]
        try:
            value = ast.literal_eval(said)
        except (ValueError, SyntaxError, TypeError, MemoryError, RecursionError):
            raise self.nonsense(said) from None
        if not _has_form(value, form):
            raise self.nonsense(said)
        return value

    def nonsense(self, said: object) -> SaveFailed:
        """Return the error for an answer that none of our programs gives."""
        return SaveFailed("the board answered something else", source=self.port, found=said)

    def close(self) -> None:
        """Leave the board at its prompt."""
        if self._board is None:
            return
        try:
            if self._board.in_raw_repl:
                self._board.exit_raw_repl()
            self._board.close()
        except self._failures:
            self._board.serial.close()  # the link is gone, and there is nobody to say goodbye to
        self._board = None

    def __enter__(self) -> "Link":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _failed(self, error: Exception) -> SaveFailed:
        return SaveFailed(f"no answer from the board: {printable(str(error))}", source=self.port)


@contextmanager
def about(path: str) -> Iterator[None]:
    """Let errors in talking to a board name the file that it is about."""
    try:
        yield
    except SaveFailed as error:
        if error.item is not None:
            raise
        raise error.about(path, error.source) from error


def _has_form(value: Any, form: Any) -> bool:
    if isinstance(form, list):
        return isinstance(value, list) and all(_has_form(item, form[0]) for item in value)
    if isinstance(form, tuple):
        return isinstance(value, tuple) and len(value) == len(form) and all(map(_has_form, value, form))
    return form is object or type(value) is form  # True is no number here


def _raised(trace: bytes) -> str:
    """Return the error below a traceback, on one line."""
    lines = trace.decode(errors="replace").strip().splitlines()
    places = [number for number, line in enumerate(lines) if line.startswith('  File "')]
    return printable("; ".join(line.strip() for line in lines[max(places, default=-1) + 1 :]), _ERROR)


def _first_port() -> str:
    from serial.tools.list_ports import comports

    for found in sorted(comports()):
        if found.vid is not None and found.pid is not None:
            return str(found.device)
    raise SaveFailed("no board on USB (--port names one that is elsewhere)")
