"""The index of a Burnpack container, read from its metadata where that lies.

    {"tensors": {name: descriptor}, "metadata": {text: text}, "scalars": {name: {kind: value}}}

Opening checks every descriptor and keeps one machine word of four bytes for each, and another where
the names do not rise; names and descriptors are read again when they are asked for.
"""

from array import array

from burnpack import utf8
from burnpack.cbor import Cursor
from burnpack.checks import check_shape, check_size
from burnpack.compat import rising
from burnpack.descriptor import BARE_BOOL, OLD_SCHEME, TODAY, parse_descriptor
from burnpack.errors import InvalidTensor, LimitExceeded
from burnpack.layout import ALIGNMENT, HEADER_SIZE

if False:  # for type checkers
    from collections.abc import Iterable, Iterator

    from burnpack.limits import Limits
    from burnpack.types import Buffer, Dtype, Entry, Scalar, Shape


_ABSENT = -1
_DIALECTS = {TODAY: "0.22", BARE_BOOL: "0.20", OLD_SCHEME: "0.20-0.21"}


class Index:
    """The tensors, metadata and scalars that a view of CBOR tells of. See `container.Container`.

    end: the largest end of a tensor; claimed: the sum of their sizes; aligned: whether each begins
    on a multiple of the alignment; form: the oldest form of a dtype in it, of `descriptor`; version:
    the text that the writer left, or None. The reader tells it `format_version`, `data_start` and `packed`.
    """

    format_version: int
    data_start: int
    packed: bool
    end: int
    claimed: int
    aligned: bool
    form: int
    version: str | None

    def __init__(self, view: "Buffer", limits: "Limits") -> None:
        self._view = view
        self._limits = limits
        self._positions = array("I")
        # The numbers of the tensors as their names rise, where those of the file do not.
        self._by_name: "array[int] | None" = None
        self._metadata_at = _ABSENT
        self._scalars_at = _ABSENT
        self.format_version = 0
        self.data_start = 0
        self.packed = False
        self.end = 0
        self.claimed = 0
        self.aligned = True
        self.form = TODAY
        self.version = None
        self._read()

    def __len__(self) -> int:
        return len(self._positions)

    def name(self, number: int) -> str:
        """Return the name of a tensor."""
        return self._cursor(self._positions[number]).text()

    def find(self, name: str) -> int:
        """Return the number of the tensor called `name`, or -1."""
        try:
            wanted = utf8.encode(name)
        except ValueError:
            return -1
        low, high = 0, len(self._positions)
        while low < high:
            middle = (low + high) // 2
            number = middle if self._by_name is None else self._by_name[middle]
            known = self._encoded_name(number)
            if known == wanted:
                return number
            if known < wanted:
                low = middle + 1
            else:
                high = middle
        return -1

    def entry(self, number: int) -> "Entry":
        """Return a tensor's (name, dtype, shape, start, end, param_id), counted from the file's start."""
        cursor = self._cursor(self._positions[number])
        name = cursor.text()
        dtype, shape, start, end, param_id, _ = parse_descriptor(cursor)
        return name, dtype, shape, self.data_start + start, self.data_start + end, param_id

    def metadata(self) -> list[tuple[str, str]]:
        """Return the (key, value) texts."""
        return [] if self._metadata_at < 0 else list(self._texts(self._cursor(self._metadata_at)))

    def scalars(self) -> "list[tuple[str, Scalar]]":
        """Return the scalars as (name, (kind, value))."""
        return [] if self._scalars_at < 0 else list(self._kinds(self._cursor(self._scalars_at)))

    def dialect(self) -> str:
        """Return the Burn release that writes files like this one."""
        return "0.19" if self.packed else _DIALECTS[self.form]

    def _cursor(self, at: int) -> "Cursor":
        return Cursor(self._view, at, HEADER_SIZE, self._limits.depth)

    def _read(self) -> None:
        cursor = self._cursor(0)
        found = False
        for key in cursor.keys():
            start = cursor.at
            if key == b"tensors":
                found = True
                self._read_tensors(cursor)
            elif key == b"metadata":
                self._metadata_at = start
                for name, text in self._texts(cursor):
                    if name == "version":
                        self.version = text
            elif key == b"scalars":
                self._scalars_at = start
                for _ in self._kinds(cursor):
                    pass
            else:
                cursor.skip()
            cursor.item = None
        if not found:
            raise cursor.wrong('the metadata has no "tensors"', None, None, 0)
        if cursor.at != len(self._view):
            raise cursor.wrong("bytes after the metadata", cursor.at, len(self._view), cursor.at)

    def _read_tensors(self, cursor: "Cursor") -> None:
        limit = self._limits.tensors
        last = None
        in_order = True
        at = cursor.at
        for key in cursor.keys():
            if len(self._positions) >= limit:
                raise LimitExceeded("too many tensors", None, None, None, "at most %d" % limit)
            if last is not None and key <= last:
                in_order = False
            last = key
            cursor.item = None
            cursor.item = cursor.decoded(key)
            self._positions.append(cursor.key_at)
            self._read_descriptor(cursor, cursor.item)
        if self.claimed > self.end:
            offset = HEADER_SIZE + at
            raise InvalidTensor("tensors overlap in the data", None, None, offset, self.end, self.claimed)
        if not in_order:
            self._sort()

    def _sort(self) -> None:
        numbers = range(len(self._positions))
        pairs = rising([(self._encoded_name(number), number) for number in numbers])
        self._by_name = array("I", [number for _, number in pairs])

    def _read_descriptor(
        self, cursor: "Cursor", name: str
    ) -> "tuple[Dtype, Shape, int, int, int | None, int]":
        offset = HEADER_SIZE + cursor.at
        descriptor = parse_descriptor(cursor)
        dtype, shape, start, end, _, form = descriptor
        check_shape(name, shape, offset)
        check_size(name, dtype, shape, end - start, self._limits, offset)
        self.end = max(self.end, end)
        self.claimed += end - start
        self.aligned = self.aligned and start % ALIGNMENT == 0
        self.form = max(self.form, form)
        return descriptor

    def _texts(self, cursor: "Cursor") -> "Iterable[tuple[str, str]]":
        for key in cursor.keys():
            cursor.item = "metadata"
            name = cursor.decoded(key)
            yield name, cursor.text()

    def _kinds(self, cursor: "Cursor") -> "Iterator[tuple[str, Scalar]]":
        from burnpack.scalar import parse_scalar  # most files have none

        for key in cursor.keys():
            cursor.item = "scalars"
            cursor.item = cursor.decoded(key)
            yield cursor.item, parse_scalar(cursor)

    def _encoded_name(self, number: int) -> bytes:
        return self._cursor(self._positions[number]).encoded_text()
