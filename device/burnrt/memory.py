"""Where a program's bytes are: in memory or in a file; and its arena."""

from array import array
from struct import unpack_from

from burnpack.compat import const
from burnrt.kernels.int8.memory import words as words_in
from burnrt.kernels.named import PARTS
from burnrt.refusal import refuse

if False:  # for type checkers
    from typing import Any

    from burnrt.types import Words

try:
    from uctypes import addressof, bytearray_at

    def bytes_of(numbers: "Any", size: int) -> memoryview:
        """Return a view of `size` bytes of a buffer of any numbers."""
        return memoryview(bytearray_at(addressof(numbers), size))

    def is_aligned(view: "Any") -> bool:
        """Return whether a processor reads words there in one go."""
        return bool(addressof(view) % 4 == 0)

except ImportError:  # CPython, which reads words at any address

    def bytes_of(numbers: "Any", size: int) -> memoryview:
        """Return a view of `size` bytes of a buffer of any numbers."""
        return memoryview(numbers).cast("B")[:size]

    def is_aligned(view: "Any") -> bool:
        """Return whether a processor reads words there in one go."""
        return True


MAGIC = b"BRT1"
HEAD = const(32)  # bytes of a program's first words; behind them are the kernels' names
SPARE = const(4)  # bytes behind the arena's last number, and a weight's, that kernels may read
_ARENA_MOST = const(1 << 24)  # bytes: more than a board has


def piece(size: int) -> int:
    """Return the bytes that a weight of `size` takes where it is read from a file."""
    return (size + SPARE + 3) // 4 * 4


class Memory:
    """The bytes that a program's steps name.

    view: a memoryview of all from the program on, or, of a file, of the program. words: the program's.
    size: bytes from the program on to the end of the data.
    names: the kernels', while the model is loaded.
    arena: a bytearray, or where a kernel computes with floats an array of them. bytes: a view of its bytes.
    """

    view: memoryview
    words: "Words"
    size: int
    names: list[str]
    arena: "Any"
    _file: "Any"
    bytes: memoryview

    def __init__(self, source: "Any", arena: "Any" = None) -> None:
        """source: bytes, or an open file. arena: see `burnrt.Model`. Large pieces are allocated first."""
        try:
            self._file, self.view = None, memoryview(source)
        except TypeError:  # a file, and none in ROMFS
            self._file, self.view = source, None  # type: ignore[assignment] # yet
        header = self._part(0, 10)
        if bytes(header[:4]) != b"NRUB":
            refuse("header", "not a Burnpack file", b"NRUB", bytes(header[:4]))
        start = unpack_from("<I", header, 6)[0] + 265 & -256
        if start >> 30:  # which a small board can't seek to
            refuse("file", "it is cut short", start)
        self._start = start
        if self.view and not is_aligned(self.view[start:]):
            from io import BytesIO

            self._file, self.view = BytesIO(self.view), None  # type: ignore[assignment] # yet
        head = self._part(start, HEAD)
        if bytes(head[:4]) != MAGIC:
            refuse("program", "there is none: `burnstore convert --shape` writes one", MAGIC, bytes(head[:4]))
        length, numbers, copied, _, _, _, names = unpack_from("<7i", head, 4)
        self.size = (self._file.seek(0, 2) if self._file else len(self.view)) - start
        if (
            length % 4
            or not HEAD < HEAD + 4 * names <= length <= self.size
            or not 0 <= copied <= 2 * self.size
        ):
            refuse("program", "its size is wrong", "at most %d bytes" % self.size, length)
        if not 0 <= numbers <= _ARENA_MOST:
            refuse("arena", "its size is wrong", "0 to %d" % _ARENA_MOST, numbers)
        # Written out, what is no letter of a name is the same on every interpreter, and no space.
        self.names = repr(bytes(self._part(start + HEAD, 4 * names)))[2:-1].split()
        of_floats = [name for name in self.names if name[:5] != "int8."]
        self.arena = _arena(numbers + SPARE, of_floats) if arena is None else arena
        _check_arena(self.arena, numbers + SPARE, of_floats)
        self.bytes = bytes_of(self.arena, numbers + SPARE)
        self._weights, self._taken = None, 0
        if PARTS:
            self._read_already: "dict[tuple[int, int], memoryview]" = {}
        self._last: "Any" = (-1, b"")
        if self._file:
            self._weights = memoryview(bytearray(copied))
        self.view = self._part(start, self.size if self._file is None else length)
        self.words = words_in(self.view[:length])

    def stretch(self, start: int, size: int) -> memoryview:
        """Return `size` bytes from byte `start` of the program on, and SPARE more if there are so many.

        What is in a file and not in the program is read into the one buffer for all weights.
        """
        whole, at = self.view, start
        copied = self._weights is not None and start >= self.words[1]
        if copied:
            if PARTS and (start, size) in self._read_already:
                return self._read_already[start, size]
            whole, at = self._weights, self._taken  # type: ignore[assignment] # there are some
            self._taken += piece(size)
        found = whole[at : at + size + SPARE]
        if len(found) < size:
            refuse("file", "it is cut short", size, len(found))
        if copied:
            self._read(self._start + start, found[:size])
            if PARTS:
                self._read_already[start, size] = found
        return found

    def floats(self, start: int, size: int) -> memoryview:
        """Return `size` floats of the arena, from number `start` on."""
        first, view = self._last  # what one step writes, the next reads: one view is enough
        if first != start or len(view) != size:
            view = memoryview(self.arena)[start : start + size]
            self._last = (start, view)
        return view  # type: ignore[no-any-return]

    def loaded(self) -> None:
        """Let go what only loading takes: a small heap keeps no texts."""
        self._last = None
        if PARTS:
            self._read_already = {}
        del self.names

    def number(self, at: int) -> float:
        """Return the float whose bits are word `at`."""
        return unpack_from("<f", self.view, 4 * at)[0]  # type: ignore[no-any-return]

    def _part(self, start: int, size: int) -> memoryview:
        """Return `size` bytes of the source, from `start` on."""
        if self._file:
            found = memoryview(bytearray(size))
            self._read(start, found)
            return found
        found = self.view[start : start + size]
        if len(found) != size:
            refuse("file", "it is cut short", start + size, start + len(found))
        return found

    def _read(self, start: int, buffer: memoryview) -> None:
        self._file.seek(start)
        if self._file.readinto(buffer) != len(buffer):
            refuse("file", "it is cut short", start + len(buffer), "its end")


def _arena(size: int, of_floats: "Any") -> "Any":
    return array("f", range((size + 3) // 4)) if of_floats else bytearray(size)  # the range is no second copy


def _check_arena(arena: "Any", size: int, of_floats: "Any") -> None:
    """Refuse a buffer that is too small, in pieces, at an odd address, not to be written, or of others."""
    found = -1
    try:
        view = memoryview(arena)
        first = view[0]
        view[0] = first
        width = len(bytes(view[:1]))
        fits = not of_floats or (width == 4 and isinstance(first, float))
        if fits and is_aligned(view) and getattr(view, "contiguous", True):
            found = len(view) * width
    except (TypeError, ValueError, IndexError, NotImplementedError):
        pass
    if found < size:
        kind = "floats" if of_floats else "bytes"
        refuse("arena", "not enough " + kind + " that can be written, at a multiple of 4", size, found)
