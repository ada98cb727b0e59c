"""Files that a command will write, looked at before anything takes time."""

import os
from collections.abc import Iterable
from pathlib import Path

from burnpack.errors import SaveFailed
from burnstore.cli.streams import is_stream
from burnstore.io.files import check_target


def check_new(path: Path, overwrite: bool, read: Iterable[str | Path | None] = ()) -> None:
    """Refuse a file that exists, unless it may be overwritten, or has no folder; raises `SaveFailed`.

    read: see `check_apart`.
    """
    if is_stream(path):
        return
    check_target(path, overwrite, str(path))
    if not path.parent.is_dir():
        raise SaveFailed("there is no such folder", source=str(path.parent))
    check_apart(path, read)


def check_apart(path: Path, read: Iterable[str | Path | None]) -> None:
    """Refuse to write over a file that is read for what goes there; raises `SaveFailed`, with overwrite, too.

    read: files; a standard stream is none, and neither is None.
    """
    target = os.path.realpath(path)
    if any(target == os.path.realpath(each) for each in read if each is not None and not is_stream(each)):
        raise SaveFailed("it is read for what would go there, and would be lost", source=str(path))
