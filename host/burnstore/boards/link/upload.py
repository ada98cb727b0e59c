"""A file onto the board's file system: whole under its name, or not at all.

The bytes go into NAME.new, beside what NAME is until then. A file that begins as it should is gone on with;
any other is begun anew. Length and SHA-256 are checked on the board, by reading the flash again, before the
new file gets the name; whoever sends it may try it before. FAT can't replace a file: there the old one is
removed a moment before, and when that is all that happened, the next upload finds the new one whole and
names it.
"""

from binascii import b2a_base64
from collections.abc import Callable
from hashlib import sha256

from burnpack.errors import SaveFailed
from burnstore.boards.link.link import Link, about
from burnstore.io.files import Buffer

NEW = ".new"
LEAST_FREE = 4096  # bytes of the file system that are left alone, for what it keeps of its own

Progress = Callable[[int], None]

_STATE = (int, str)  # of a file on the board: its size and SHA-256
_CHUNKS = ((64 << 10, 4096), (24 << 10, 2048), (0, 512))  # free heap at least, bytes sent at once

# Defines `sha(path)`: (size, SHA-256 as hexadecimal digits) of a file, (-1, "") where there is none.
_HELPERS = """\
import os, gc, hashlib
from binascii import a2b_base64 as a, hexlify
gc.collect()
def sha(path):
    try:
        f = open(path, "rb")
    except OSError:
        return -1, ""
    h = hashlib.sha256()
    b = bytearray(1024)
    size = 0
    while True:
        n = f.readinto(b)
        if not n:
            break
        h.update(b if n == 1024 else memoryview(b)[:n])
        size += n
    f.close()
    return size, hexlify(h.digest()).decode()
"""


def upload(
    link: Link, path: str, data: Buffer, free: int, heap: int = 0, progress: Progress | None = None
) -> bool:
    """Bring `data` to `path` on the board; return False when it was there already.

    free, heap: bytes free in its file system and on its heap. progress: is told each number of bytes that
    is there. Raises `SaveFailed`: what was called `path` before is then still there.
    """
    place = send(link, path, data, free, heap, progress)
    if place == path:
        return False
    put_in_place(link, path)
    return True


def send(
    link: Link, path: str, data: Buffer, free: int, heap: int = 0, progress: Progress | None = None
) -> str:
    """Bring `data` to the board as `upload` does; return where it is: `path` already, or `path` + NEW."""
    with about(path):
        link.run(_HELPERS)
        wanted = (len(data), sha256(data).hexdigest())
        if link.ask(f"print(sha({path!r}))", _STATE) == wanted:
            return path
        _send_new(link, path, data, free, _chunk_size(heap), progress)
        found = link.ask(f"print(sha({path + NEW!r}))", _STATE)
        if found != wanted:
            remove_new(link, path)
            what = "the bytes changed on their way"
            raise SaveFailed(what, path, source=link.port, expected=wanted, found=found)
        return path + NEW


def put_in_place(link: Link, path: str) -> None:
    """Give what was sent its name."""
    with about(path):
        link.run(f"import os\nos.rename({path + NEW!r}, {path!r})\nif hasattr(os, 'sync'):\n os.sync()")


def remove_new(link: Link, path: str) -> None:
    """Remove what was sent and not put in place."""
    link.run(f"import os\nos.remove({path + NEW!r})")


def _send_new(link: Link, path: str, data: Buffer, free: int, chunk: int, progress: Progress | None) -> None:
    start = _resumed(link, path, data)
    room = free - LEAST_FREE
    if len(data) - start > room:
        raise SaveFailed(_no_space(path), source=link.port, expected=len(data) - start, found=max(room, 0))
    _tell(progress, start)
    link.run(f"f = open({path + NEW!r}, 'ab')\nw = f.write")
    for place in range(start, len(data), chunk):
        piece = bytes(data[place : place + chunk])
        link.run(f"w(a({b2a_base64(piece, newline=False)!r}))")
        _tell(progress, len(piece))
    link.run("f.close()")


def _resumed(link: Link, path: str, data: Buffer) -> int:
    """Return how many bytes of `data` were sent before; a file with others is removed."""
    size, digest = link.ask(f"print(sha({path + NEW!r}))", _STATE)
    if size < 0:
        return 0
    if size <= len(data) and sha256(data[:size]).hexdigest() == digest:
        return int(size)
    remove_new(link, path)
    return 0


def _chunk_size(heap: int) -> int:
    return next(size for least, size in _CHUNKS if heap >= least)


def _tell(progress: Progress | None, count: int) -> None:
    if progress is not None and count:
        progress(count)


def _no_space(path: str) -> str:
    return (
        "not enough free flash beside what is there: free some, or give up the old one with "
        f"`mpremote rm :{path}` and deploy again"
    )
