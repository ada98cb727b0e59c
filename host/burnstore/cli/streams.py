"""The standard streams in place of files: "-" for what is read, and `-o -` for what is written.

A model is read in place, out of a mapped file, so what comes by a pipe is put into a file first. What goes to
the standard output is written to a file first, whole, so a failure leaves nothing of it there.
"""

import os
import stat
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import click

from burnpack.errors import LimitExceeded, Unsupported
from burnpack.limits import FILE
from burnstore.cli.manner import Manner

STREAM = "-"
_STDIN = 0
_STDIN_PATH = "/dev/stdin"
_PIECE = 1 << 20  # bytes that are read at once


def readable(path: str) -> str:
    """Return the path of the file to read; for "-", that of the standard input, which is a file by then.

    Raises `BurnpackError` where it can't be had.
    """
    if path != STREAM:
        return path
    if sys.stdin is None:
        raise Unsupported("the standard input is closed", STREAM)
    if os.isatty(_STDIN):
        raise Unsupported("the standard input is a terminal, where a file or a pipe was expected", STREAM)
    if not os.path.exists(_STDIN_PATH):
        raise Unsupported("this system has no path for the standard input: name a file", STREAM)
    if not _is_whole_file(_STDIN):
        _keep(_STDIN)
    return _STDIN_PATH


def is_stream(path: str | Path) -> bool:
    """Tell whether a standard stream is meant."""
    return str(path) == STREAM


def shown(path: str | Path) -> str:
    """Return what a target is called."""
    return "the standard output" if is_stream(path) else str(path)


@contextmanager
def to_stdout() -> Iterator[None]:
    """Let an error of what writes to the standard output name it."""
    try:
        yield
    except OSError as error:
        error.filename = error.filename or shown(STREAM)
        raise


@contextmanager
def writable(target: Path, suffix: str) -> Iterator[Path]:
    """Give the path to write; for "-", that of a file which goes to the standard output once it is whole.

    suffix: what the name of such a file ends with. Where it is not written, nothing goes there.
    """
    if not is_stream(target):
        yield target
        return
    import shutil  # with tempfile, a tenth of a quiet command's time
    import tempfile

    with tempfile.TemporaryDirectory(prefix="burnstore-") as folder:
        path = Path(folder) / f"stdout{suffix}"
        yield path
        if path.exists():
            with path.open("rb") as file, to_stdout():
                shutil.copyfileobj(file, sys.stdout.buffer, _PIECE)
                sys.stdout.flush()


def take_stdout(how: Manner) -> None:
    """Let the standard output be for a file, and all text go to stderr. Raises `UsageError`."""
    if how.as_json:
        raise click.UsageError("-o - and --json exclude each other: both are for the standard output")
    if sys.stdout is None or sys.stdout.isatty():
        raise click.UsageError("-o - writes bytes: redirect the standard output to a file or a pipe")
    how.stdout_is_taken = True


def _is_whole_file(descriptor: int) -> bool:
    """Tell whether a stream is a file of which nothing has been read; folders are refused when opened."""
    mode = os.fstat(descriptor).st_mode
    return stat.S_ISDIR(mode) or (stat.S_ISREG(mode) and os.lseek(descriptor, 0, os.SEEK_CUR) == 0)


def _keep(descriptor: int) -> None:
    """Put what is left of a stream into a file without a name, which takes the stream's place.

    The system removes such a file when the process ends, however that comes.
    """
    import shutil
    import tempfile

    with tempfile.TemporaryFile() as file:
        free = shutil.disk_usage(tempfile.gettempdir()).free
        most = min(FILE, free // 2)  # the other half is for other programs
        while piece := os.read(descriptor, _PIECE):
            if file.tell() + len(piece) > most:
                what = f"more than the {most:,} bytes that are taken from the standard input: name a file"
                raise LimitExceeded(what, STREAM)
            file.write(piece)
        file.flush()
        os.dup2(file.fileno(), descriptor)
