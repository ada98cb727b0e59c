"""Reading a ROMFS image: what MicroPython mounts at /rom.

A number is stored in sevens of bits, the highest first; every byte but the last has its top bit set. Leading
0x80 bytes change nothing.

    record      number kind, number size n, n bytes
    image       kind 0x14A6B1 (stored as D2 CD 31); holds records
    directory   kind 4: number k, k bytes of name, then records
    file        kind 5: number k, k bytes of name, then records, one of which is data
    data        kind 2: the file's bytes
    pointer     kind 3: number size, number offset from where the image's records begin: the bytes are there
    padding     kind 1: skipped, as are kinds that are not known
    unused      kind 0: an image is corrupt where it has one
"""

from collections.abc import Iterator
from typing import NamedTuple

from burnpack.errors import DuplicateName, LimitExceeded, Malformed, Truncated, UnknownFormat

UNUSED = 0
PADDING = 1
DATA = 2
POINTER = 3
DIRECTORY = 4
FILE = 5
IMAGE = 0x14A6B1

MAGIC = b"\xd2\xcd\x31"

_NUMBER_MOST = (1 << 32) - 1  # what a processor of 32 bits counts to
_DEPTH_MOST = 32  # directories in directories
_RECORDS_MOST = 100_000
_WIDTH_MOST = 300  # bytes of a number: builders lengthen one to align what follows
_ALIGNMENT_MOST = 256


class Entry(NamedTuple):
    """A file of an image: offset and size, in bytes, say where in the image its data is."""

    path: str
    offset: int
    size: int

    @property
    def alignment(self) -> int:
        """The largest power of two, up to 256, that the offset is a multiple of."""
        bounded = self.offset | _ALIGNMENT_MOST
        return bounded & -bounded


class _Range(NamedTuple):
    start: int
    end: int


def parse_image(view: memoryview) -> list[Entry]:
    """Return the files of an image, in its order. Bytes behind the image, as a partition has, are left alone.

    Stricter than MicroPython's reader, which does not look at all of it. Raises `BurnpackError`.
    """
    if len(view) < len(MAGIC) and bytes(view) == MAGIC[: len(view)]:
        raise Truncated("the image is cut short", offset=len(view), expected=len(MAGIC), found=len(view))
    if bytes(view[: len(MAGIC)]) != MAGIC:
        raise UnknownFormat("not a ROMFS image", expected=MAGIC.hex(), found=bytes(view[: len(MAGIC)]).hex())
    image = _Image(view)
    return image.entries()


class _Image:
    """A parse of one image."""

    def __init__(self, view: memoryview) -> None:
        self._view = view
        _, self._records = self._record(_Range(0, len(view)), "the image")
        self._found: list[Entry] = []
        self._records_seen = 0

    def entries(self) -> list[Entry]:
        self._read_directory(self._records, "", 0)
        return self._found

    def _read_directory(self, inside: _Range, path: str, depth: int) -> None:
        if depth > _DEPTH_MOST:
            raise LimitExceeded("directories too deep", path[:80], expected=f"at most {_DEPTH_MOST}")
        names = set()
        for kind, content in self._members(inside, path):
            if kind not in (FILE, DIRECTORY):
                continue
            name, rest = self._name(content, path)
            if name in names:
                raise DuplicateName("two entries of one name", path + name)
            names.add(name)
            if kind == DIRECTORY:
                self._read_directory(rest, path + name + "/", depth + 1)
            else:
                self._read_file(rest, path + name)

    def _read_file(self, inside: _Range, path: str) -> None:
        for kind, content in self._members(inside, path):
            if kind == DATA:
                self._found.append(Entry(path, content.start, content.end - content.start))
                return
            if kind == POINTER:
                self._found.append(self._pointed_to(content, path))
                return
        raise Malformed("a file without data", path, offset=inside.start)

    def _pointed_to(self, content: _Range, path: str) -> Entry:
        size, at = self._number(content, path)
        offset, _ = self._number(_Range(at, content.end), path)
        start = self._records.start + offset
        if start + size > self._records.end:
            raise Malformed(
                "data outside the image",
                path,
                offset=content.start,
                expected=self._records.end,
                found=start + size,
            )
        return Entry(path, start, size)

    def _members(self, inside: _Range, path: str) -> Iterator[tuple[int, _Range]]:
        at = inside.start
        while at < inside.end:
            kind, content = self._record(_Range(at, inside.end), path)
            if kind == UNUSED:
                raise Malformed("a record of kind 0", path, offset=at)
            self._records_seen += 1
            if self._records_seen > _RECORDS_MOST:
                raise LimitExceeded("too many records", path, offset=at, expected=f"at most {_RECORDS_MOST}")
            yield kind, content
            at = content.end

    def _record(self, inside: _Range, path: str) -> tuple[int, _Range]:
        kind, at = self._number(inside, path)
        size, at = self._number(_Range(at, inside.end), path)
        if size > inside.end - at:
            raise self._ends_early(inside, path, at + size)
        return kind, _Range(at, at + size)

    def _number(self, inside: _Range, path: str) -> tuple[int, int]:
        """Return a number, and where what follows it begins."""
        value = 0
        for at in range(inside.start, min(inside.end, inside.start + _WIDTH_MOST)):
            byte = self._view[at]
            value = value << 7 | byte & 0x7F
            if value > _NUMBER_MOST:
                raise Malformed(
                    "a number is too large",
                    path,
                    offset=inside.start,
                    expected=f"at most {_NUMBER_MOST}",
                    found=value,
                )
            if byte < 0x80:
                return value, at + 1
        if inside.end - inside.start >= _WIDTH_MOST:
            what = "a number is too long"
            raise Malformed(what, path, offset=inside.start, expected=f"at most {_WIDTH_MOST} bytes")
        raise self._ends_early(inside, path, inside.end + 1)

    def _ends_early(self, inside: _Range, path: str, needed: int) -> Malformed | Truncated:
        if inside.end == len(self._view):
            return Truncated(
                "the image is cut short", path, offset=inside.start, expected=needed, found=inside.end
            )
        return Malformed(
            "leaves the record that it is in", path, offset=inside.start, expected=inside.end, found=needed
        )

    def _name(self, content: _Range, path: str) -> tuple[str, _Range]:
        size, at = self._number(content, path)
        if size > content.end - at:
            raise Malformed(
                "a name leaves its record", path, offset=at, expected=content.end, found=at + size
            )
        try:
            name = str(self._view[at : at + size], "utf-8")
        except UnicodeDecodeError:
            raise Malformed("a name is no UTF-8", path, offset=at) from None
        if name in ("", ".", "..") or "/" in name or "\0" in name:
            raise Malformed("no name of a file", path, offset=at, found=name)
        return name, _Range(at + size, content.end)
