"""Reading a SafeTensors container. What one looks like stands in `burnpack.safetensors_header`.

What the reference implementation refuses is refused here, and this besides: the same key twice
anywhere, white space before the header, a description of a tensor that is written as a list, more than
64 dimensions, an extent that only a 0 beside it keeps from overflowing, and what is over the limits.
"""

from burnpack.checks import check_shape, check_size
from burnpack.compat import rising
from burnpack.container import Container
from burnpack.errors import DuplicateName, InvalidTensor, LimitExceeded
from burnpack.json_header import OBJECT, Cursor
from burnpack.json_names import Names
from burnpack.limits import Limits
from burnpack.safetensors_header import (
    HEADER_START,
    METADATA,
    check_end,
    check_whole,
    parse_entry,
    parse_size,
)

if False:  # for type checkers
    from collections.abc import Callable

    from burnpack.container import Memory, Stream
    from burnpack.types import AnyIndex, Buffer, Entry, Scalar


_AROUND = 3  # levels around a member of a description that is skipped; the limit itself is not reached
_BEGINNING = 40  # bytes of a file that tell a reader of an error what it is


class Index:
    """The tensors and metadata that a view of a header tells of. See `container.Container`.

    Opening checks all of it and keeps 8 bytes for each tensor; the rest is read again when asked for.
    """

    data_start: int

    def __init__(self, view: "Buffer", data_size: int, limits: "Limits") -> None:
        self._view = view
        self._limits = limits
        self._depth = max(limits.depth - _AROUND, 0)
        self._names = Names(view, HEADER_START)
        self._metadata_at = -1
        self.data_start = HEADER_START + len(view)
        in_order = self._read()
        self._names.settle()
        end = in_order if in_order >= 0 else self._covered()
        check_end(self.data_start + end, self.data_start + data_size)

    def __len__(self) -> int:
        return len(self._names)

    def name(self, number: int) -> str:
        """Return the name of a tensor."""
        return self._names.name(number)

    def find(self, name: str) -> int:
        """Return the number of the tensor called `name`, or -1."""
        return self._names.find(name)

    def entry(self, number: int) -> "Entry":
        """Return a tensor's (name, dtype, shape, start, end, None), counted from the file's start."""
        cursor = self._names.cursor(number, self._depth)
        name = cursor.key()
        dtype, shape, start, end = parse_entry(cursor)
        return name, dtype, shape, self.data_start + start, self.data_start + end, None

    def metadata(self) -> list[tuple[str, str]]:
        """Return the (key, value) texts."""
        pairs: list[tuple[str, str]] = []
        if self._metadata_at < 0:
            return pairs
        cursor = self._cursor(self._metadata_at)
        if cursor.null():
            return pairs
        cursor.enter(OBJECT)
        while cursor.another(OBJECT):
            key = cursor.key()
            pairs.append((key, cursor.string()))
        return pairs

    def scalars(self) -> "list[tuple[str, Scalar]]":
        """Return [], as the format has none."""
        return []

    def _cursor(self, at: int) -> "Cursor":
        return Cursor(self._view, at, HEADER_START, self._depth)

    def _read(self) -> int:
        """Check all members; return where the data ends if they are in its order without a gap, else -1."""
        cursor = self._cursor(0)
        reached = 0
        cursor.enter(OBJECT)
        while cursor.another(OBJECT):
            cursor.peek()
            place = cursor.at
            cursor.item = None
            cursor.item = name = cursor.key()
            if name == METADATA:
                self._read_metadata(cursor, place)
                continue
            if len(self._names) >= self._limits.tensors:
                raise LimitExceeded("too many tensors", None, None, None, "at most %d" % self._limits.tensors)
            self._names.add(place, name)
            _, _, start, end = self._read_entry(cursor)
            reached = end if start == reached else -1
        cursor.item = None
        cursor.finish()
        return reached

    def _read_entry(self, cursor: "Cursor") -> "tuple[str, tuple[int, ...], int, int]":
        place = HEADER_START + cursor.at
        dtype, shape, start, end = parse_entry(cursor)
        check_shape(cursor.item, shape, place)
        check_whole(cursor.item, dtype, shape, place)
        check_size(cursor.item, dtype, shape, end - start, self._limits, place)
        return dtype, shape, start, end

    def _read_metadata(self, cursor: "Cursor", place: int) -> None:
        if self._metadata_at >= 0:
            raise DuplicateName("the same name twice", METADATA, None, HEADER_START + place)
        self._metadata_at = cursor.at
        if cursor.null():  # which the reference takes for none
            return
        keys = Names(self._view, HEADER_START)
        cursor.enter(OBJECT)
        while cursor.another(OBJECT):
            cursor.peek()
            place = cursor.at
            keys.add(place, cursor.key())
            cursor.string()
        keys.settle()

    def _covered(self) -> int:
        """Return where the data ends; raises where two tensors overlap or leave a gap."""
        reached = 0
        for number in self._data_order():
            name, _, _, start, end, _ = self.entry(number)
            start -= self.data_start
            if start != reached:
                what = "overlaps another tensor" if start < reached else "a gap before the tensor's bytes"
                place = self._names.cursor(number, 0).at
                raise InvalidTensor(what, name, None, HEADER_START + place, "start %d" % reached, start)
            reached = end - self.data_start
        return reached

    def _data_order(self) -> list[int]:
        """Return the numbers of the tensors as their bytes lie; of two at one start, the empty one first."""
        count = len(self._names)
        keys = []
        for number in range(count):
            start, end = self.entry(number)[3:5]
            keys.append((start * 2 + (1 if end > start else 0)) * count + number)
        return [key % count for key in rising(keys)]


class Reader(Container):
    """A SafeTensors container: opened by `from_bytes`, `from_static` or `from_stream`."""

    format = "safetensors"
    _index_of: "Callable[[memoryview, int, Limits], AnyIndex]" = Index  # a host puts a faster one here

    @classmethod
    def _open(cls, source: "Memory | Stream", limits: "Limits | None") -> "AnyIndex":
        limits = limits or Limits()
        if source.size > limits.file:
            most = "at most %d" % limits.file
            raise LimitExceeded("the file is too large", None, None, None, most, source.size)
        size = parse_size(source.take(0, min(source.size, _BEGINNING)), source.size, limits)
        header = memoryview(source.take(HEADER_START, size))
        return cls._index_of(header, source.size - HEADER_START - size, limits)
