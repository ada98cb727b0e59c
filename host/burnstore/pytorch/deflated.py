"""Deflated records: each is expanded once, whatever parts of it are asked for, in whatever order.

A decompressor only goes forward. A record whose bytes are asked for once, in their order, is expanded on
the way to whoever asks. Any other is expanded whole when it is first asked for, and kept: small ones in
memory, all others in a temporary file, which has no name and is mapped.
"""

import errno
import mmap
import tempfile
import zlib
from collections.abc import Iterator
from typing import BinaryIO

from burnpack.errors import LimitExceeded, Malformed, SaveFailed
from burnstore.io.files import FORGET_EVERY, forget

PIECE = 1 << 20  # bytes expanded at a time
FED = 1 << 16  # packed bytes given at a time: what a decompressor leaves of them, it copies
WHOLE = 4 << 20  # bytes of small records that are kept in memory, of all together


class Spool:
    """Expanded records that are kept for as long as their archive is open."""

    def __init__(self) -> None:
        self._spare = WHOLE
        self._small: dict[str, memoryview] = {}
        self._places: dict[str, int] = {}
        self._file: BinaryIO | None = None
        self._end = 0
        self._map: mmap.mmap | None = None

    def view(self, record: "Deflated") -> memoryview:
        """Return all bytes of a record."""
        if record.name in self._small:
            return self._small[record.name]
        if record.name not in self._places and record.size <= self._spare:
            self._spare -= record.size
            self._small[record.name] = record.read(0, record.size)
            return self._small[record.name]
        return self._in_file(record)

    def _in_file(self, record: "Deflated") -> memoryview:
        start = self._places.get(record.name)
        if start is None:
            start = self._write(record)
            self._places[record.name] = start
        if self._map is None:
            assert self._file is not None
            self._map = mmap.mmap(self._file.fileno(), self._end, access=mmap.ACCESS_READ)
        return memoryview(self._map)[start : start + record.size]

    def _write(self, record: "Deflated") -> int:
        """Expand a record into the file; return where it starts there."""
        try:
            if self._file is None:
                self._file = tempfile.TemporaryFile(buffering=0)  # noqa: SIM115, see __del__
            start = self._file.seek(self._end)
            for piece in record.pieces(0, record.size):
                _write_all(self._file, piece)
        except OSError as error:
            raise _no_space(record, error) from error
        self._end = start + record.size
        self._map = None  # views of it keep it alive
        return start

    def __del__(self) -> None:
        if self._file is not None:
            self._file.close()


def _write_all(file: BinaryIO, piece: bytes) -> None:
    rest = memoryview(piece)
    while rest:
        rest = rest[file.write(rest) :]


def _no_space(record: "Deflated", error: OSError) -> SaveFailed:
    full = error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG)
    why = "no space" if full else error.strerror or str(error)
    what = f"can't be expanded into a temporary file: {why} (TMPDIR names another folder for these)"
    return SaveFailed(what, f"record {record.name}", expected=f"space for {record.size} bytes")


class Deflated:
    """One packed record. size: in bytes, once it is expanded, as its directory entry says."""

    def __init__(self, name: str, packed: memoryview, size: int) -> None:
        self.name = name
        self.size = size
        self._packed = packed

    def read(self, start: int, end: int) -> memoryview:
        """Return the bytes from `start` to `end`, in a buffer of their own."""
        try:
            target = memoryview(bytearray(end - start))
        except MemoryError:
            raise LimitExceeded("not enough memory", f"record {self.name}", found=end - start) from None
        done = 0
        for piece in self.pieces(start, end):
            target[done : done + len(piece)] = piece
            done += len(piece)
        return target

    def pieces(self, start: int, end: int) -> Iterator[bytes]:
        """Yield the bytes from `start` to `end`, or raise `Malformed` for a record that is damaged."""
        expansion = _Expansion(self.name, self._packed)
        while expansion.given < start:
            expansion.expand(start - expansion.given)
        while expansion.given < end:
            yield expansion.expand(end - expansion.given)
        if end == self.size:
            expansion.check_end()


class _Expansion:
    """One way through a packed record. given: how many bytes have been expanded."""

    def __init__(self, name: str, packed: memoryview) -> None:
        self.given = 0
        self._name = name
        self._packed = packed
        self._expander = zlib.decompressobj(-zlib.MAX_WBITS)
        self._taken = 0
        self._held = 0  # packed bytes that were read lately

    def expand(self, most: int) -> bytes:
        """Return the next bytes, at most so many."""
        piece, more = self._step(min(most, PIECE))
        if not more:
            raise self._damaged()
        return piece

    def check_end(self) -> None:
        """Refuse a record whose bytes go on, or have no end."""
        more = True
        while more:
            piece, more = self._step(1)
            if piece:
                raise self._damaged()
        if not self._expander.eof:
            raise self._damaged()

    def _step(self, most: int) -> tuple[bytes, bool]:
        """Expand up to `most` bytes; return them, and whether anything was taken or given."""
        fed = self._packed[self._taken : self._taken + FED] if not self._expander.eof else b""
        try:
            piece = self._expander.decompress(fed, most)
        except zlib.error:
            raise self._damaged() from None
        taken = len(fed) - len(self._expander.unconsumed_tail)
        self._taken += taken
        self.given += len(piece)
        self._held += taken
        if self._held >= FORGET_EVERY:
            forget(self._packed)
            self._held = 0
        return piece, bool(piece or fed)

    def _damaged(self) -> Malformed:
        return Malformed("the record's packed bytes are damaged", f"record {self._name}")
