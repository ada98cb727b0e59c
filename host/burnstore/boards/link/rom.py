"""A model into the board's ROM partition, as an image with this one file, aligned to 256 bytes.

The partition has room for one image: what was in it is gone when writing begins, unless it was read before.
The image's first bytes, without which nothing mounts it, are written last, when all others have been read
back and found right.
"""

import os
from binascii import a2b_base64, b2a_base64
from hashlib import sha256

from burnpack.errors import SaveFailed
from burnstore.boards.images.romfs import IMAGE
from burnstore.boards.images.romfs_writer import File, Folder, varuint, write_image
from burnstore.boards.link.link import Link
from burnstore.boards.link.upload import Progress
from burnstore.io.files import Buffer

ALIGNMENT = 256  # bytes

_CHUNK = 4096  # bytes sent at once
_LEAST_MOST = 1 << 20  # bytes that a partition may want at once
_ERRNO_MOST = 200  # of the numbers that errors have
_READ_ONLY = (
    "the ROM partition can't be written by the board itself (%s), as on an emulator, which is given an image "
    "when it starts: `burnstore romfs` makes one"
)
_SIZE_MOST = 10  # bytes of an image's magic and its size, at most
_ERASE = 32768  # bytes erased at once, so that the board is not silent for too long

# Defines `erase(size)`, which returns the fewest bytes that can be written, `put(offset, data)`,
# `sha(start, size)` and `look()`, whatever kind of partition it is: one in memory, or a block device.
_HELPERS = """\
import vfs, hashlib
from binascii import a2b_base64 as a, hexlify
try:
    vfs.umount("/rom")
except OSError:
    pass
d = vfs.rom_ioctl(2, 0)
device = hasattr(d, "ioctl")
block = d.ioctl(5, 0) if device else vfs.rom_ioctl(6, 0)
def erase(size):
    if device:
        for n in range((size + block - 1) // block):
            d.ioctl(6, n)
        return block
    if block <= 0:
        return vfs.rom_ioctl(3, 0, size)
    least = 1
    for start in range(0, size, %(erase)d):
        part = min(size - start, %(erase)d)
        least = vfs.rom_ioctl(3, 0, start, (part + block - 1) // block * block)
    return least
def put(start, data):
    if device:
        d.writeblocks(start // block, data)
    else:
        vfs.rom_ioctl(4, 0, start, data)
def look():
    return memoryview(d)
def sha(start, size):
    h = hashlib.sha256()
    v = look()
    for at in range(start, start + size, 1024):
        h.update(v[at:min(at + 1024, start + size)])
    return hexlify(h.digest()).decode()
"""


def image_of(name: str, data: Buffer) -> bytes:
    """Return the image that has this one file. Raises `LimitExceeded`."""
    return b"".join(write_image(Folder("", [File(name, data, ALIGNMENT)])))


def holds(link: Link, image: bytes) -> bool:
    """Return whether the partition has this image already."""
    link.run(_HELPERS % {"erase": _ERASE})
    return _is_there(link, image, 0)


def write(link: Link, image: bytes, progress: Progress | None = None) -> None:
    """Write an image to the partition and mount it.

    progress: is told each number of bytes written. Raises `SaveFailed`; the partition then has no model.
    """
    link.run(_HELPERS % {"erase": _ERASE})
    _write(link, image, progress)
    link.run("vfs.mount(vfs.VfsRom(d), '/rom')")


def read(link: Link, most: int) -> bytes | None:
    """Return the image in the partition, or None where there is none. most: bytes that it may have.

    Raises `SaveFailed` where it does not arrive as the board has it.
    """
    link.run(_HELPERS % {"erase": _ERASE})
    head = link.ask(f"print(bytes(look()[:{_SIZE_MOST}]))", bytes)
    size = _size_of(head)
    if size is None or size > most:
        return None
    link.run("from binascii import b2a_base64 as b")
    pieces = []
    for start in range(0, size, _CHUNK):
        line = link.ask(f"print(b(look()[{start}:{min(start + _CHUNK, size)}]))", bytes)
        pieces.append(a2b_base64(line))
    image = b"".join(pieces)
    if not _is_there(link, image, 0):
        raise SaveFailed("the old ROM image changed on its way", source=link.port)
    return image


def clear(link: Link) -> None:
    """Take away the image, so that nothing mounts it."""
    link.run(_HELPERS % {"erase": _ERASE} + "erase(1)")


def _write(link: Link, image: bytes, progress: Progress | None) -> None:
    least = link.ask(f"print(erase({len(image)}))", int)
    if -_ERRNO_MOST <= least < 0:
        raise SaveFailed(_READ_ONLY % os.strerror(-least), source=link.port)
    if not 1 <= least <= _LEAST_MOST:
        raise SaveFailed("the ROM partition refuses to be written", source=link.port, found=least)
    chunk = max(_CHUNK // least, 1) * least
    for start in [*range(chunk, len(image), chunk), 0]:
        piece = image[start : start + chunk]
        if start == 0 and not _is_there(link, image, chunk):
            raise SaveFailed("the bytes changed on their way", source=link.port)
        padded = piece + bytes(-len(piece) % least)
        link.run(f"put({start}, a({b2a_base64(padded, newline=False)!r}))")
        if progress is not None:
            progress(len(piece))
    link.run("vfs.rom_ioctl(5, 0)")
    if not _is_there(link, image, 0):
        raise SaveFailed("the bytes changed on their way", source=link.port)


def _size_of(head: bytes) -> int | None:
    """Return the bytes of the image that begins so, or None where there is none."""
    magic = varuint(IMAGE)
    size = 0
    for place in range(len(magic), len(head) if head.startswith(magic) else 0):
        size = size << 7 | head[place] & 0x7F
        if head[place] < 0x80:
            return place + 1 + size
    return None


def _is_there(link: Link, image: bytes, start: int) -> bool:
    """Return whether the partition has the image's bytes from `start` on."""
    size = max(len(image) - start, 0)
    found = link.ask(f"print(repr(sha({start}, {size})))", str)
    return bool(found == sha256(image[start:]).hexdigest())
