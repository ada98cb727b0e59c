"""CBOR (RFC 8949), as much of it as Burnpack's metadata uses.

initial byte    3 bits major type, 5 bits of information
information     0..23: the argument itself; 24, 25, 26, 27: it follows in 1, 2, 4, 8 bytes;
                31: length not given, ended by a break; 28..30 are reserved
major types     0 unsigned, 1 negative (-1 - argument), 2 bytes, 3 text, 4 array, 5 map,
                6 tag, 7 simple values, floats and the break
"""

import struct

from burnpack import half, utf8
from burnpack.compat import const, rising
from burnpack.errors import DuplicateName, LimitExceeded, Malformed, Truncated

if False:  # for type checkers
    from collections.abc import Iterator

    from burnpack.types import Buffer


_UNSIGNED = const(0)
_NEGATIVE = const(1)
_TEXT = const(3)
_ARRAY = const(4)
_MAP = const(5)
_TAG = const(6)
_SIMPLE = const(7)

_FEW = const(8)  # keys of a map that are kept anyway: a descriptor has four

_UNTIL_BREAK = const(-1)  # the argument of an item whose length is not given
_BREAK = const(0xFF)
_FALSE = const(20)
_TRUE = const(21)
_NULL = const(22)
_HALF = const(25)
_SINGLE = const(26)
_DOUBLE = const(27)

# The states of an open level of `Cursor.skip`, and each one's next.
_OPEN_VALUE = const(-3)
_OPEN_KEY = const(-2)
_OPEN_ARRAY = const(-1)
_AFTER_OPEN = (_OPEN_KEY, _OPEN_VALUE, _OPEN_ARRAY)  # indexed from the end, by the states

_KINDS = (
    "an unsigned integer",
    "a negative integer",
    "bytes",
    "text",
    "an array",
    "a map",
    "a tag",
    "a simple value",
)


class Cursor:
    """A place in a view of CBOR, moved on by each read.

    view: the items, one after another. at: the next byte to read.
    base: where the view begins in its container, for error messages.
    depth: nesting allowed in skipped values.
    item: what is being read, for error messages. key_at: where the latest map key begins.
    """

    view: "Buffer"
    at: int
    base: int
    depth: int
    item: str | None
    key_at: int

    def __init__(self, view: "Buffer", at: int = 0, base: int = 0, depth: int = 16) -> None:
        self.view = view
        self.at = at
        self.base = base
        self.depth = depth
        self.item = None
        self.key_at = 0
        self._information = 0
        self._argument = 0

    def _head(self) -> int:
        """Read an item's head into `_information` and `_argument`; return its major type."""
        start = self.at
        self._need(1)
        initial = self.view[start]
        self.at = start + 1
        major = initial >> 5
        information = self._information = initial & 31
        if information < 24:
            self._argument = information
        elif information < 28:
            width = 1 << (information - 24)
            self._need(width)
            self._argument = _big_endian(self.view, self.at, width)
            self.at += width
        elif information == 31 and major in (2, 3, 4, 5):
            self._argument = _UNTIL_BREAK
        else:
            raise self.wrong("reserved head or stray break", "an item", "byte 0x%02x" % initial, start)
        return major

    def _expect(self, major: int) -> None:
        start = self.at
        found = self._head()
        if found != major:
            raise self.wrong("wrong type in the metadata", _KINDS[major], _KINDS[found], start)

    def unsigned(self) -> int:
        """Read an unsigned integer."""
        self._expect(_UNSIGNED)
        return self._argument

    def integer(self) -> int:
        """Read an integer of either sign."""
        start = self.at
        major = self._head()
        if major > _NEGATIVE:
            raise self.wrong("wrong type in the metadata", "an integer", _KINDS[major], start)
        return self._argument if major == _UNSIGNED else -1 - self._argument

    def boolean(self) -> bool:
        """Read true or false."""
        start = self.at
        if self._head() != _SIMPLE or self._information not in (_FALSE, _TRUE):
            raise self.wrong("wrong type in the metadata", "a boolean", "something else", start)
        return self._information == _TRUE

    def float(self) -> float:
        """Read a half, single or double precision float."""
        start = self.at
        if self._head() != _SIMPLE or self._information < _HALF:
            raise self.wrong("wrong type in the metadata", "a float", "something else", start)
        if self._information == _HALF:
            return half.decode_f16(self._argument)
        code = ">f" if self._information == _SINGLE else ">d"
        return struct.unpack_from(  # type: ignore[no-any-return]
            code, self.view, self.at - (4 if code == ">f" else 8)
        )[0]

    def null(self) -> bool:
        """Pass over a null and return True, or return False where there is none."""
        if self.at < len(self.view) and self.view[self.at] == (_SIMPLE << 5 | _NULL):
            self.at += 1
            return True
        return False

    def is_text(self) -> bool:
        """Return whether a text comes next."""
        return self.at < len(self.view) and self.view[self.at] >> 5 == _TEXT

    def encoded_text(self) -> bytes:
        """Read a text and return its UTF-8 bytes, unchecked."""
        self._expect(_TEXT)
        if self._argument != _UNTIL_BREAK:
            return bytes(self._take())
        return b"".join(self._chunks())

    def text(self) -> str:
        """Read a text."""
        start = self.at
        return self.decoded(self.encoded_text(), start)

    def decoded(self, encoded: bytes, start: int | None = None) -> str:
        """Return what a text's UTF-8 bytes say; they begin at `start`, or are the latest key."""
        try:
            return utf8.decode(encoded)
        except ValueError:
            raise self.wrong("text that is not UTF-8", None, None, self.key_at if start is None else start)

    def _take(self) -> "Buffer":
        self._need(self._argument)
        start = self.at
        self.at += self._argument
        return self.view[start : self.at]

    def _chunks(self) -> list[bytes]:
        chunks = []
        while not self._ended():
            start = self.at
            self._expect(_TEXT)
            if self._argument == _UNTIL_BREAK:
                raise self.wrong("a chunk of text without a length", None, None, start)
            chunks.append(bytes(self._take()))
            self.decoded(chunks[-1], start)
        return chunks

    def items(self) -> "Iterator[None]":
        """Enter an array and yield before each of its items, which the caller reads."""
        self._expect(_ARRAY)
        return self._entries(1)

    def keys(self) -> "Iterator[bytes]":
        """Enter a map and yield each key as UTF-8 bytes; the caller reads the value behind it.

        Raises `DuplicateName` for a key that was there before: among the few of a descriptor at once, and
        among the many of a large map, which Burn writes in rising order, behind the last of them.
        """
        self._expect(_MAP)
        few: list[bytes] = []  # all keys, where there are no more
        in_order = True
        many = False
        last = b""
        start = end = self.at
        for _ in self._entries(2):
            at = self.at
            key = self.encoded_text()
            if key in few:
                raise DuplicateName("the same key twice", _shown(key), None, self.base + at)
            in_order = in_order and (last < key or not few)
            if len(few) < _FEW:
                few.append(key)
            else:
                many = True
            last = key
            self.key_at = at
            yield key
            end = self.at
        if many and not in_order:
            self._check_differ(start, end)

    def _check_differ(self, start: int, end: int) -> None:
        # Sorted and not hashed: MicroPython's hashes have 16 bits, so that many keys share one.
        keys = rising([key for _, key in self._keys_between(start, end)])
        for number in range(1, len(keys)):
            key = keys[number]
            if key == keys[number - 1]:
                places = [at for at, other in self._keys_between(start, end) if other == key]
                raise DuplicateName("the same key twice", _shown(key), None, self.base + places[1])

    def _keys_between(self, start: int, end: int) -> "Iterator[tuple[int, bytes]]":
        cursor = Cursor(self.view, start, self.base, self.depth)
        while cursor.at < end:
            yield cursor.at, cursor.encoded_text()
            cursor.skip()

    def _entries(self, heads: int) -> "Iterator[None]":
        left = self._argument
        if left != _UNTIL_BREAK:
            self._need(left * heads)  # an item is at least its one-byte head
        while left != 0:
            if left == _UNTIL_BREAK:
                if self._ended():
                    return
            else:
                left -= 1
            yield

    def _ended(self) -> bool:
        self._need(1)
        if self.view[self.at] != _BREAK:
            return False
        self.at += 1
        return True

    def skip(self) -> None:
        """Pass over one item of any kind."""
        pending = [1]  # at each level, the items still to come or one of the _OPEN constants
        while pending:
            left = pending[-1]
            if left == 0 or (left < 0 and self._closed(left)):
                pending.pop()
                continue
            pending[-1] = _AFTER_OPEN[left] if left < 0 else left - 1
            self._skip_one(pending)
            if len(pending) > self.depth:
                raise LimitExceeded(
                    "values nested too deeply", self.item, None, self.base + self.at, self.depth
                )

    def _closed(self, left: int) -> bool:
        start = self.at
        if not self._ended():
            return False
        if left == _OPEN_VALUE:
            raise self.wrong("a map that ends after a key", None, None, start)
        return True

    def _skip_one(self, pending: list[int]) -> None:
        """Pass over an item's head and string; leave what it holds to `pending`."""
        major = self._head()
        count = self._argument
        if major == _ARRAY or major == _MAP:
            if count == _UNTIL_BREAK:
                pending.append(_OPEN_ARRAY if major == _ARRAY else _OPEN_KEY)
            else:
                pending.append(count if major == _ARRAY else 2 * count)
                self._need(pending[-1])
        elif major == _TAG:
            pending.append(1)
        elif major == _SIMPLE:
            if self._information == 24 and count < 32:
                raise self.wrong("a two-byte head for a one-byte value", None, None, self.at - 2)
        elif major > _NEGATIVE:
            self._skip_string(major)

    def _skip_string(self, major: int) -> None:
        if self._argument != _UNTIL_BREAK:
            self._take()
            return
        while not self._ended():
            self._expect(major)
            if self._argument == _UNTIL_BREAK:
                raise self.wrong("a chunk of a string without a length", None, None, self.at - 1)
            self._take()

    def _need(self, size: int) -> None:
        left = len(self.view) - self.at
        if size > left:
            raise Truncated("the metadata is cut short", self.item, None, self.base + self.at, size, left)

    def wrong(self, what: str, expected: object, found: object, at: int) -> "Malformed":
        """Return the error to raise for what is wrong at `at`."""
        return Malformed(what, self.item, None, self.base + at, expected, found)


def _big_endian(view: "Buffer", start: int, width: int) -> int:
    value = 0
    for at in range(start, start + width):
        value = value << 8 | view[at]
    return value


def _shown(key: bytes) -> str:
    try:
        return utf8.decode(key)
    except ValueError:
        return str(key)
