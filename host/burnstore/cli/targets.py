"""Files that a command will write, looked at before anything takes time."""

from pathlib import Path

from burnpack.errors import SaveFailed
from burnstore.cli.streams import is_stream
from burnstore.io.files import check_target


def check_new(path: Path, overwrite: bool) -> None:
    """Refuse a file that exists, unless it may be overwritten, or has no folder; raises `SaveFailed`."""
    if is_stream(path):
        return
    check_target(path, overwrite, str(path))
    if not path.parent.is_dir():
        raise SaveFailed("there is no such folder", source=str(path.parent))
