"""`python -m burnstore`, and the command `burnstore`: the command line, from its first moment on."""

import io
import os
import signal
import sys
from types import FrameType

INTERRUPTED = 130


def main() -> None:
    """Run the command line. Ctrl-C ends it without a word while there is nothing to clean up.

    That is while it is imported, and when it is done; in between, `burnstore.cli` hears of it.
    """
    if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
        signal.signal(signal.SIGINT, _leave)
    _write_all_or_fail()
    from burnstore.cli import main as run

    run()


def _write_all_or_fail() -> None:
    """Give the standard output a buffer where it has none.

    Without one, as PYTHONUNBUFFERED has it, Python drops in silence what a disk that gets full does not take.
    """
    plain = sys.stdout
    if isinstance(plain, io.TextIOWrapper) and isinstance(plain.buffer, io.RawIOBase):
        sys.stdout = io.TextIOWrapper(io.BufferedWriter(plain.buffer), plain.encoding, line_buffering=True)


def _leave(number: int, frame: FrameType | None) -> None:
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    main()
