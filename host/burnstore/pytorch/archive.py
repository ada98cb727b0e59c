"""The zip container of PyTorch since 1.6. All of it lies in one folder, of any name:

    data.pkl                the pickled object
    data/<key>              the bytes of the storage called key; stored, so that they can be mapped
    byteorder               "little" or "big"; absent: little
    version                 the container's version
    .format_version, .storage_alignment, .data/serialization_id: reading needs none of them

Python's zipfile reads the directory. Where the bytes of an entry start is said by the header before
them, which is read here, as zipfile only hands out copies.
"""

import io
import struct
import zipfile
import zlib
from bisect import bisect_right
from collections.abc import Iterator
from typing import cast

from burnpack.errors import (
    BurnpackError,
    DuplicateName,
    LimitExceeded,
    Malformed,
    Truncated,
    Unsupported,
    printable,
)
from burnpack.limits import Limits
from burnstore.io.files import FORGET_EVERY, forget
from burnstore.pytorch.deflated import Deflated, Spool
from burnstore.pytorch.storage import Record, Source
from burnstore.pytorch.viewfile import ViewFile

# The header before an entry's bytes:
#   signature, version, flags, method, time, date, CRC, packed size, size, length of name, length of extra
HEADER = struct.Struct("<4sHHHHHIIIHH")
HEADER_SIZE = HEADER.size
SIGNATURE = b"PK\x03\x04"
ENCRYPTED = 1 << 0  # flag
UTF_8 = 1 << 11  # flag: how the name is encoded

PICKLE = "data.pkl"
DIRECTORY_PER_TENSOR = 128  # bytes of the directory: 46, the name, sizes beyond 32 bits
CONSTANTS = "constants.pkl"  # of TorchScript
PACKED_PICKLE = 2 << 20  # bytes: a stored one is limited by the size of the file, a packed one is not
PICKLE_PACKED = 64  # how far a larger one may shrink; those of checkpoints shrink to a twentieth
SMALL = 4096  # bytes of a record that states a fact
DEFLATE_MOST = 1032  # how far deflate can shrink: 258 bytes to two bits

BYTE_ORDERS = (b"little", b"big")


def read_directory(view: memoryview, most: int) -> tuple[list[zipfile.ZipInfo], int]:
    """Return a zip's entries and where its directory starts, in bytes.

    most: bytes of directory that are read at most.
    """
    try:
        with zipfile.ZipFile(cast("io.BytesIO", ViewFile(view, most))) as archive:
            return archive.infolist(), archive.start_dir
    except LimitExceeded:
        raise
    except Exception as error:
        # zipfile raises more than BadZipFile over a damaged directory: struct.error, UnicodeDecodeError, ...
        raise Truncated(
            f"no zip directory at the end of the file: it is cut short or damaged ({printable(str(error))})"
        ) from error


class ZipArchive(Source):
    """A checkpoint's zip container over `view`, which is kept and sliced.

    start: where `view` starts in the file, in bytes: where that is a record of another archive.
    """

    def __init__(self, view: memoryview, limits: Limits, start: int = 0) -> None:
        self._view = view
        self._limits = limits
        self._origin = start
        # The size of the smallest buffer that zipfile reads, the end record with its comment, is 64 KiB.
        entries, self._end = read_directory(view, max(DIRECTORY_PER_TENSOR * limits.tensors, 1 << 17))
        self._entries = _by_name(entries)
        self._headers = sorted(entry.header_offset for entry in entries)
        self.top = ""
        self._spool = Spool()

    def enter(self, mark: str = PICKLE) -> None:
        """Find the folder that holds the checkpoint; names of records are below it from here on.

        mark: the record that is in no other folder.
        """
        self.top = find_top(list(self._entries), mark)

    def names(self) -> list[str]:
        """Return the names of all entries, in the order of the directory."""
        return list(self._entries)

    def names_in(self, folder: str) -> list[str]:
        """Return the names of the entries in one of the checkpoint's folders, as `record` takes them."""
        start = len(self.top)
        return [name[start:] for name in self._entries if name.startswith(self.top + folder)]

    def pickle(self, name: str = PICKLE) -> tuple[io.BytesIO, int]:
        """Return the pickled object as a file, and its size in bytes."""
        pickled = self.text(name, "pickle")
        return io.BytesIO(pickled), len(pickled)

    def text(self, name: str, what: str = "text") -> bytes | memoryview:
        """Return the bytes of a record that is read as a whole. what: it is, for errors."""
        record = self.record(name)
        most, error = self._limits.metadata, f"the {what} is too large"
        if record.start is None:
            packed = PACKED_PICKLE + PICKLE_PACKED * len(self._packed(record))
            most, error = min(most, packed), f"the packed {what} is too large"
        if record.size > most:
            raise LimitExceeded(error, record.name, expected=f"at most {most} bytes", found=record.size)
        if record.start is not None:
            return record.view()
        return b"".join(self._deflated(record).pieces(0, record.size))

    def inside(self, name: str) -> "ZipArchive":
        """Return the archive that a record is."""
        record = self.record(name)
        if record.start is None:
            raise Unsupported("an archive in the archive is packed; PyTorch stores it", record.name)
        try:
            return ZipArchive(record.view(), self._limits, record.start)
        except BurnpackError as error:
            item = f"record {record.name}" + (f": {error.item}" if error.item else "")
            raise error.about(item, error.source) from error

    def fact(self, name: str) -> bytes | None:
        """Return the text of a small record, or None where there is none."""
        if not self.has(name):
            return None
        record = self.record(name)
        if record.size > SMALL:
            raise Malformed(
                "the record is too long", record.name, expected=f"at most {SMALL}", found=record.size
            )
        return bytes(record.view()).strip()

    def byte_order(self) -> str:
        """Return "little" or "big"."""
        found = self.fact("byteorder")
        if found is not None and found not in BYTE_ORDERS:
            raise Malformed(
                "an unknown byte order", self.top + "byteorder", expected="little or big", found=repr(found)
            )
        return (found or b"little").decode()

    def storage(self, key: str) -> Record:
        """Return the record of a storage."""
        return self.record(key if key.startswith("constants/") else "data/" + key)

    def has(self, name: str) -> bool:
        """Tell whether the checkpoint's folder holds a record of this name."""
        return self.top + name in self._entries

    def record(self, name: str) -> Record:
        """Return the record of this name in the checkpoint's folder, whose bytes are all there."""
        name = self.top + name
        entry = self._entries.get(name)
        if entry is None:
            raise Malformed("the archive has no such record", f"record {name}")
        if entry.compress_type == zipfile.ZIP_STORED:
            return Record(name, self._origin + self._start(entry), entry.file_size, self)
        if entry.compress_type != zipfile.ZIP_DEFLATED:
            raise Unsupported(
                "a compression that is not read", f"record {name}", expected="stored or deflated"
            )
        self._start(entry)
        if entry.file_size > DEFLATE_MOST * entry.compress_size:
            raise Malformed(
                "claims more bytes than it can hold",
                f"record {name}",
                expected=f"at most {DEFLATE_MOST * entry.compress_size}",
                found=entry.file_size,
            )
        return Record(name, None, entry.file_size, self)

    def check_sum(self, record: Record) -> None:
        """Read a record; raise `Malformed` where its bytes have another CRC-32 than the directory says.

        PyTorch may write none: it is for archives of others.
        """
        found = 0
        for piece in self.pieces(record, 0, record.size):
            found = zlib.crc32(piece, found)
        expected = self._entries[record.name].CRC
        if found != expected:
            what = "damaged: its bytes have another checksum"
            raise Malformed(what, f"record {record.name}", expected=f"{expected:08x}", found=f"{found:08x}")

    def read(self, record: Record, start: int, end: int) -> memoryview:
        """Return bytes of a record: a slice of the file, or expanded."""
        if record.start is not None:
            first = record.start - self._origin
            return self._view[first + start : first + end]
        packed = self._deflated(record)
        return self._spool.view(packed)[start:end] if record.again else packed.read(start, end)

    def pieces(self, record: Record, start: int, end: int) -> Iterator[memoryview | bytes]:
        """Yield the same bytes in buffers, one after the other."""
        if record.start is not None:
            yield self.read(record, start, end)
        elif record.again:
            view = self._spool.view(self._deflated(record))
            for begin in range(start, end, FORGET_EVERY):
                yield view[begin : min(begin + FORGET_EVERY, end)]
                forget(view)
        else:
            yield from self._deflated(record).pieces(start, end)

    def _deflated(self, record: Record) -> Deflated:
        return Deflated(record.name, self._packed(record), record.size)

    def _packed(self, record: Record) -> memoryview:
        entry = self._entries[record.name]
        start = self._start(entry)
        return self._view[start : start + entry.compress_size]

    def _start(self, entry: zipfile.ZipInfo) -> int:
        """Return where the entry's bytes start, having checked that they are where its header says."""
        offset = entry.header_offset
        if not 0 <= offset <= self._end - HEADER_SIZE:
            raise Malformed("the header is outside the file", f"record {entry.filename}", offset=offset)
        signature, _, flags, method, _, _, _, _, _, name_length, extra_length = HEADER.unpack_from(
            self._view, offset
        )
        name_end = offset + HEADER_SIZE + name_length
        name = entry.orig_filename.encode("utf-8" if flags & UTF_8 else "cp437", "replace")
        if (
            signature != SIGNATURE
            or method != entry.compress_type
            or self._view[offset + HEADER_SIZE : name_end] != name
        ):
            what = "directory and header disagree about the record"
            raise Malformed(what, f"record {entry.filename}", offset=offset)
        if (flags | entry.flag_bits) & ENCRYPTED:
            raise Unsupported("the record is encrypted", f"record {entry.filename}")
        start: int = name_end + extra_length
        self._check_space(entry, start)
        return start

    def _check_space(self, entry: zipfile.ZipInfo, start: int) -> None:
        """Refuse an entry that reaches over the next one, or has two sizes."""
        item, size = f"record {entry.filename}", entry.compress_size
        if entry.compress_type == zipfile.ZIP_STORED and size != entry.file_size:
            raise Malformed(
                "two sizes of one record", item, offset=start, expected=entry.file_size, found=size
            )
        room = self._next(entry.header_offset) - start
        if size > room:
            raise Malformed(
                "the record overlaps the next one",
                item,
                offset=start,
                expected=f"at most {room} bytes",
                found=size,
            )

    def _next(self, offset: int) -> int:
        """Return where the entry that starts at `offset` must end, in bytes."""
        position = bisect_right(self._headers, offset)
        return min(self._headers[position], self._end) if position < len(self._headers) else self._end


def _by_name(entries: list[zipfile.ZipInfo]) -> dict[str, zipfile.ZipInfo]:
    found: dict[str, zipfile.ZipInfo] = {}
    for entry in entries:
        if entry.filename in found:
            raise DuplicateName("the archive has two records of one name", entry.filename)
        found[entry.filename] = entry
    return found


def find_top(names: list[str], mark: str = PICKLE) -> str:
    """Return the folder that holds the checkpoint, with its slash; "" where it lies in none.

    mark: the record that tells it from other folders.
    """
    candidates = [name[: -len(mark)] for name in names if name == mark or name.endswith("/" + mark)]
    if not candidates:
        raise Malformed(f"a zip archive without {mark} is no checkpoint", expected=f"<folder>/{mark}")
    depth = min(name.count("/") for name in candidates)
    shallow = [name for name in candidates if name.count("/") == depth]
    if len(shallow) > 1:
        raise Malformed("the archive holds two checkpoints", shallow[0] + mark, found=shallow[1] + mark)
    return shallow[0]
