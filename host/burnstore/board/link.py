"""The link to a board: programs run there, and what they print comes back. mpremote carries it."""

import ast
import struct
from contextlib import redirect_stdout
from types import TracebackType
from typing import Any

from burnpack.errors import SaveFailed, Unsupported, printable

PATIENCE = 120  # seconds that a program on the board may be silent: flash is erased slowly
_READ = 10  # seconds until a read that gets nothing ends
_ERROR = 1000  # letters of an error on the board
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
        self._failures = (TransportError, SerialException, OSError, struct.error)
        self.port = port or _first_port()
        self._board: Any = None
        try:
            self._board = SerialTransport(self.port, timeout=_READ)
            with redirect_stdout(None):  # it prints what it can't make out
                self._board.enter_raw_repl()
        except self._failures as error:
            self.close()
            raise self._failed(error) from error

    def run(self, program: str) -> str:
        """Run a program on the board and return what it prints. Raises `SaveFailed` with its last error."""
        try:
            said, wrong = self._board.exec_raw(program, timeout=PATIENCE)
        except self._failures as error:
            raise self._failed(error) from error
        if wrong:
            raise SaveFailed(f"the board raised {_raised(wrong)}", None, self.port)
        return str(said.decode(errors="replace").replace("\r\n", "\n"))

    def ask(self, program: str) -> Any:
        """Run a program and return the value whose repr it prints last, on a line of its own."""
        said = self.run(program).strip().rpartition("\n")[2]
        try:
            return ast.literal_eval(said)
        except (ValueError, SyntaxError):
            raise SaveFailed("the board answered something else", None, self.port, found=said) from None

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
        return SaveFailed(f"no answer from the board: {error}", None, self.port)


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
