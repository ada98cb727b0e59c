"""Deflated records: any part of one can be read, for little more than what that part costs.

A decompressor only goes forward. So it is kept where the last part ended; and copies of it are kept as marks
on its way, so that a part which lies before is reached from the mark before it.
"""

import zlib
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from burnpack.errors import LimitExceeded, Malformed
from burnstore.files import FORGET_EVERY, forget

PIECE = 1 << 20  # bytes expanded at a time
FED = 1 << 16  # packed bytes given at a time: what a decompressor leaves of them, it copies
MARKS = 128  # in a record; each takes 40 KB
BETWEEN = 1 << 20  # bytes between two marks, at least
WHOLE = 4 << 20  # bytes of small records that are kept expanded
OPEN = 2  # larger records of which the marks are kept

_Kept = TypeVar("_Kept")


class Recent(Generic[_Kept]):
    """What was used last, as far as it weighs no more than `most` together."""

    def __init__(self, most: int) -> None:
        self._room = most
        self._kept: dict[str, tuple[int, _Kept]] = {}

    def get(self, key: str, weight: int, make: Callable[[], _Kept]) -> _Kept:
        """Return what is kept under a key, made now if it is not."""
        found = self._kept.pop(key, None)
        if found is None:
            while self._kept and self._room < weight:
                self._room += self._kept.pop(next(iter(self._kept)))[0]
            found = weight, make()
            self._room -= weight
        self._kept[key] = found  # behind all others
        return found[1]


class Expander:
    """Reads packed records; small ones are expanded once and kept for a while."""

    def __init__(self) -> None:
        self._whole: Recent[memoryview] = Recent(WHOLE)
        self._open: Recent[Deflated] = Recent(OPEN)

    def read(self, name: str, packed: memoryview, size: int, start: int, end: int) -> memoryview:
        """Return the bytes from `start` to `end` of a record that has `size` bytes, once expanded."""
        if size <= WHOLE:
            return self._whole.get(name, size, lambda: Deflated(name, packed, size).read(0, size))[start:end]
        return self._open.get(name, 1, lambda: Deflated(name, packed, size)).read(start, end)


class _Place:
    """A decompressor, how many bytes it has taken, and how many it has given."""

    __slots__ = ("expander", "given", "taken")

    def __init__(self) -> None:
        self.expander = zlib.decompressobj(-zlib.MAX_WBITS)
        self.taken = 0
        self.given = 0

    def copy(self) -> "_Place":
        copy = _Place()
        copy.expander, copy.taken, copy.given = self.expander.copy(), self.taken, self.given
        return copy


class Deflated:
    """One packed record. size: in bytes, once it is expanded, as its directory entry says."""

    def __init__(self, name: str, packed: memoryview, size: int) -> None:
        self._name = name
        self._packed = packed
        self._size = size
        self._between = max(BETWEEN, size // MARKS)
        self._at = _Place()
        self._marks = [self._at.copy()]
        self._held = 0  # packed bytes that were read lately

    def read(self, start: int, end: int) -> memoryview:
        """Return the bytes from `start` to `end`, in a buffer of their own."""
        try:
            target = memoryview(bytearray(end - start))
        except MemoryError:
            raise LimitExceeded("not enough memory", f"record {self._name}", found=end - start) from None
        done = 0
        for piece in self.pieces(start, end):
            target[done : done + len(piece)] = piece
            done += len(piece)
        return target

    def pieces(self, start: int, end: int) -> Iterator[bytes]:
        """Yield the bytes from `start` to `end`, or raise `Malformed` for a record that is damaged."""
        self._go_back_to(start)
        while self._at.given < start:
            self._expand(start - self._at.given)
        while self._at.given < end:
            yield self._expand(end - self._at.given)
        if end == self._size:
            self._check_end()

    def _go_back_to(self, start: int) -> None:
        """Go to the nearest place before `start` that is known."""
        mark = [mark for mark in self._marks if mark.given <= start][-1]
        if not mark.given <= self._at.given <= start:
            self._at = mark.copy()

    def _expand(self, most: int) -> bytes:
        """Return the next bytes, at most so many."""
        piece, more = self._step(min(most, PIECE))
        if not more:
            raise self._damaged()
        if self._at.given - self._marks[-1].given >= self._between:
            self._marks.append(self._at.copy())
        return piece

    def _check_end(self) -> None:
        """Refuse a record whose bytes go on, or have no end."""
        more = True
        while more:
            piece, more = self._step(1)
            if piece:
                raise self._damaged()
        if not self._at.expander.eof:
            raise self._damaged()

    def _step(self, most: int) -> tuple[bytes, bool]:
        """Expand up to `most` bytes; return them, and whether anything was taken or given."""
        at = self._at
        fed = self._packed[at.taken : at.taken + FED] if not at.expander.eof else b""
        try:
            piece = at.expander.decompress(fed, most)
        except zlib.error:
            raise self._damaged() from None
        taken = len(fed) - len(at.expander.unconsumed_tail)
        at.taken += taken
        at.given += len(piece)
        self._held += taken
        if self._held >= FORGET_EVERY:
            forget(self._packed)
            self._held = 0
        return piece, bool(piece or fed)

    def _damaged(self) -> Malformed:
        return Malformed("the record's packed bytes are damaged", f"record {self._name}")
