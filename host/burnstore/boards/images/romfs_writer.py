"""Writing a ROMFS image. What one looks like stands in `romfs`.

Lengths of directories and of the image take the same number of bytes whatever they are, so that where a
file begins is known before what follows it. A file's data is moved to a multiple of its alignment by a record
of padding before it; a gap of one byte, which no record fits into, by a longer length.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from burnpack.errors import LimitExceeded
from burnstore.boards.images.romfs import DATA, DIRECTORY, FILE, IMAGE, PADDING
from burnstore.io.files import Buffer

_WIDTH = 5  # bytes of a length that is not known yet
_SIZE_MOST = 1 << 31  # bytes; a processor of 32 bits counts no further


@dataclass
class File:
    """One file of an image. alignment: what its data's place in the image is a multiple of."""

    name: str
    data: Buffer
    alignment: int


@dataclass
class Folder:
    """A directory of an image, or, at its top and without a name, the image."""

    name: str = ""
    members: "list[File | Folder]" = field(default_factory=list)


def write_image(top: Folder) -> list[Buffer]:
    """Return the image, in pieces. Files are not copied. Raises `LimitExceeded`."""
    start = len(varuint(IMAGE)) + _WIDTH
    content = _Pieces(start)
    _write_members(content, top.members)
    if content.offset % 2:  # an image's size is even
        content.add(_record_head(PADDING, 1) + b"\0")
    return [_head(IMAGE, content.offset - start), *content.pieces]


class _Pieces:
    """Pieces of an image, and the offset in it where the next one comes to lie."""

    def __init__(self, offset: int) -> None:
        self.offset = offset
        self.pieces: list[Buffer] = []

    def add(self, piece: Buffer) -> None:
        self.pieces.append(piece)
        self.offset += len(piece)
        if self.offset >= _SIZE_MOST:
            raise LimitExceeded("the image is too large", expected=f"less than {_SIZE_MOST} bytes")


def _write_members(content: _Pieces, members: "Sequence[File | Folder]") -> None:
    for member in members:
        name = member.name.encode()
        named = varuint(len(name)) + name
        start = content.offset + 1 + _WIDTH  # of what the record holds
        inner = _Pieces(start)
        inner.add(named)
        if isinstance(member, Folder):
            _write_members(inner, member.members)
        else:
            _write_data(inner, member)
        kind = DIRECTORY if isinstance(member, Folder) else FILE
        content.add(_head(kind, inner.offset - start))
        for piece in inner.pieces:
            content.add(piece)


def _write_data(content: _Pieces, file: File) -> None:
    head = _record_head(DATA, len(file.data))
    gap = -(content.offset + len(head)) % file.alignment
    if gap == 1:
        head = varuint(DATA) + varuint(len(file.data), len(head) - 1 + gap)
    elif gap:
        content.add(_padding(gap))
    content.add(head)
    content.add(file.data)


def _padding(size: int) -> bytes:
    """Return a record of exactly `size` bytes, two at least, that readers skip."""
    width = len(varuint(size - 2))
    length = size - 1 - width
    return varuint(PADDING) + varuint(length, width) + bytes(length)


def _record_head(kind: int, size: int) -> bytes:
    return varuint(kind) + varuint(size)


def _head(kind: int, size: int) -> bytes:
    return varuint(kind) + varuint(size, _WIDTH)


def varuint(value: int, width: int = 1) -> bytes:
    """Return a number in sevens of bits, the highest first, in `width` bytes or more."""
    groups = list(_groups(value))
    groups += [0] * (width - len(groups))
    groups.reverse()
    return bytes([group | 0x80 for group in groups[:-1]] + [groups[-1]])


def _groups(value: int) -> Iterator[int]:
    yield value & 0x7F
    while value >> 7:
        value >>= 7
        yield value & 0x7F
