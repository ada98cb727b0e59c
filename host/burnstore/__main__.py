"""`python -m burnstore`, and the command `burnstore`: the command line, from its first moment on."""

import os
import signal
from types import FrameType

INTERRUPTED = 130


def main() -> None:
    """Run the command line. Ctrl-C ends it without a word while there is nothing to clean up.

    That is while it is imported, and when it is done; in between, `burnstore.cli` hears of it.
    """
    if signal.getsignal(signal.SIGINT) != signal.SIG_IGN:
        signal.signal(signal.SIGINT, _leave)
    from burnstore.cli import main as run

    run()


def _leave(number: int, frame: FrameType | None) -> None:
    os._exit(INTERRUPTED)


if __name__ == "__main__":
    main()
