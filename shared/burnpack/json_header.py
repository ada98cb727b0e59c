"""JSON (RFC 8259), as much of it as a SafeTensors header uses, read where it lies.

Objects, arrays, strings and unsigned whole numbers are read; anything else can only be passed over.
The order of the file is kept and a repeated key is seen, which no JSON module offers on both interpreters.
"""

from burnpack import utf8
from burnpack.compat import const
from burnpack.errors import LimitExceeded, Malformed

if False:  # for type checkers
    from burnpack.types import Buffer


OBJECT = const(0x7B)  # {
ARRAY = const(0x5B)  # [
_CLOSING = const(2)  # "}" and "]" lie two code points behind "{" and "["
_QUOTE = const(0x22)
_ESCAPE = const(0x5C)  # a backslash
_COMMA = const(0x2C)
_COLON = const(0x3A)
_ZERO = const(0x30)
_NINE = const(0x39)
_MINUS = const(0x2D)
_POINT = const(0x2E)
_UNICODE = const(0x75)  # the u of \u0041
_END = const(-1)

_SPACE = b" \n\r\t"
_FRACTION = b".eE"
_EXPONENT = (0x45, 0x65)  # E and e
_SIGNS = (0x2B, 0x2D)  # plus and minus
_ESCAPES = b'"\\/bfnrt'
_ESCAPED = b'"\\/\b\f\n\r\t'
_LITERALS = (b"true", b"false", b"null")
_GLANCE = const(64)  # bytes in which most strings end
_WORD = 1 << 64


class Cursor:
    """A place in a view of JSON, moved on by each read.

    view: the bytes of the header. at: the next byte to read.
    base: where the view begins in its container, for error messages. item: what these shall name.
    depth: how deeply a value that is skipped may be nested.

    An object is read as

        cursor.enter(OBJECT)
        while cursor.another(OBJECT):
            key = cursor.key()
            ... the value ...

    and an array in the same way, without the keys.
    """

    view: "Buffer"
    at: int
    base: int
    depth: int
    item: str | None

    def __init__(self, view: "Buffer", at: int = 0, base: int = 0, depth: int = 16) -> None:
        self.view = view
        self.at = at
        self.base = base
        self.depth = depth
        self.item = None
        self._fresh = False  # nothing was read yet of what was entered last

    def peek(self) -> int:
        """Pass over white space and return the byte behind it, or -1 at the end."""
        view = self.view
        at = self.at
        end = len(view)
        while at < end:
            byte = view[at]
            if byte > 0x20 or byte not in _SPACE:
                self.at = at
                return byte
            at += 1
        self.at = at
        return _END

    def enter(self, opening: int) -> None:
        """Pass over the bracket that opens an object or an array."""
        self._expect(opening)
        self._fresh = True

    def another(self, opening: int) -> bool:
        """Return whether another member follows; pass over the comma before it, or the closing bracket."""
        byte = self.peek()
        fresh = self._fresh
        self._fresh = False
        if byte == opening + _CLOSING:
            self.at += 1
            return False
        if not fresh:
            if byte != _COMMA:
                raise self.wrong("broken JSON", "%r or %r" % (",", chr(opening + _CLOSING)))
            self.at += 1
        return True

    def key(self) -> str:
        """Read a key and the colon behind it."""
        key = self.string()
        self._expect(_COLON)
        return key

    def finish(self) -> None:
        """Refuse anything but white space in the rest."""
        if self.peek() != _END:
            raise self.wrong("bytes after the header's JSON", "spaces or nothing")

    def string(self) -> str:
        """Read a string."""
        self._expect(_QUOTE)
        start = self.at
        raw = bytes(self.view[start : start + _GLANCE])
        size = raw.find(b'"')
        if size < 0 or b"\\" in raw[:size]:
            return self._long_string()
        raw = raw[:size]
        if raw and min(raw) < 0x20:
            raise self.wrong("a control character in a string")
        self.at = start + size + 1
        return self._text(raw, start)

    def _long_string(self) -> str:
        """Read the rest of a string that is long or holds escapes."""
        view = self.view
        start = at = self.at
        end = len(view)
        escaped = False
        while True:
            at = self._plain_end(at)
            if at >= end:
                raise self.wrong("a string without its end", None, start)
            if view[at] == _QUOTE:
                break
            if view[at] == _ESCAPE:
                escaped = True
                at += 2  # a quote behind it does not end the string
        self.at = at + 1
        return self._text(self._unescaped(start, at) if escaped else view[start:at], start)

    def _plain_end(self, start: int) -> int:
        """Return where plain characters end: at a quote, at a backslash, or behind a few dozen."""
        raw = bytes(self.view[start : start + _GLANCE])
        for mark in (b'"', b"\\"):
            size = raw.find(mark)
            raw = raw if size < 0 else raw[:size]
        if raw and min(raw) < 0x20:
            while self.view[start] >= 0x20:
                start += 1
            raise self.wrong("a control character in a string", None, start)
        return start + len(raw)

    def unsigned(self) -> int:
        """Read a whole number from 0 to 2**64 - 1, written in digits alone."""
        self.peek()
        view = self.view
        start = at = self.at
        end = len(view)
        value = 0
        while at < end and _ZERO <= view[at] <= _NINE and value < _WORD:
            value = value * 10 + view[at] - _ZERO
            at += 1
        if at == start:
            raise self.wrong("broken JSON", "a digit")
        if view[start] == _ZERO and at - start > 1:
            raise self.wrong("a number with a leading zero")
        if value >= _WORD or (at < end and view[at] in _FRACTION):
            raise self.wrong("not a whole number of 64 bits")
        self.at = at
        return value

    def null(self) -> bool:
        """Pass over a null and return True, or return False where there is none."""
        if self.peek() != _LITERALS[2][0]:
            return False
        self._skip_literal()
        return True

    def skip(self) -> None:
        """Pass over one value of any kind."""
        levels = []  # what was opened and not yet closed
        while True:
            byte = self.peek()
            if byte == OBJECT or byte == ARRAY:
                self.enter(byte)
                levels.append(byte)
                if len(levels) > self.depth:
                    place = self.base + self.at
                    raise LimitExceeded("values nested too deeply", self.item, None, place, self.depth)
            else:
                self._skip_plain(byte)
            while levels and not self.another(levels[-1]):
                levels.pop()
            if not levels:
                return
            if levels[-1] == OBJECT:
                self.key()

    def wrong(self, what: str, expected: object = None, at: int | None = None) -> "Malformed":
        """Return the error to raise for what is wrong at `at`, or at the cursor."""
        at = self.at if at is None else at
        found = bytes(self.view[at : at + 12])
        return Malformed(what, self.item, None, self.base + at, expected, found or "the end of the header")

    def _byte(self, at: int) -> int:
        return self.view[at] if at < len(self.view) else _END

    def _expect(self, byte: int) -> None:
        if self.peek() != byte:
            raise self.wrong("broken JSON", "%r" % chr(byte))
        self.at += 1

    def _text(self, raw: "Buffer", start: int) -> str:
        try:
            return utf8.decode(raw)
        except ValueError:
            raise self.wrong("a string that is not UTF-8", None, start)

    def _unescaped(self, start: int, end: int) -> bytearray:
        """Return the UTF-8 of a string's characters. `end` is its quote, which ends every escape too."""
        view = self.view
        text = bytearray()
        at = start
        while at < end:
            if view[at] != _ESCAPE:
                plain = self._plain_end(at)
                text.extend(view[at:plain])
                at = plain
            elif view[at + 1] == _UNICODE:
                code, at = self._code_point(at)
                text.extend(chr(code).encode())
            else:
                number = _ESCAPES.find(bytes(view[at + 1 : at + 2]))
                if number < 0:
                    raise self.wrong("an unknown escape in a string", None, at)
                text.append(_ESCAPED[number])
                at += 2
        return text

    def _code_point(self, at: int) -> tuple[int, int]:
        """Return the code point of the escape at `at`, and where what follows it begins."""
        code = self._unit(at)
        if not 0xD800 <= code < 0xE000:
            return code, at + 6
        low = 0
        if code < 0xDC00 and bytes(self.view[at + 6 : at + 8]) == b"\\u":
            low = self._unit(at + 6)
        if not 0xDC00 <= low < 0xE000:
            raise self.wrong("half a surrogate pair in a string", None, at)
        return 0x10000 + ((code - 0xD800) << 10) + low - 0xDC00, at + 12

    def _unit(self, at: int) -> int:
        digits = bytes(self.view[at + 2 : at + 6])
        for digit in digits:
            if digit not in b"0123456789abcdefABCDEF":
                raise self.wrong("an escape without four hexadecimal digits", None, at)
        return int(digits, 16)

    def _digits(self, start: int) -> int:
        """Return where the digits from `start` on end; there must be one."""
        at = start
        found = _GLANCE
        while found == _GLANCE:
            raw = bytes(self.view[at : at + _GLANCE])
            found = len(raw) - len(raw.lstrip(b"0123456789"))
            at += found
        if at == start:
            raise self.wrong("broken JSON", "a digit", start)
        return at

    def _skip_plain(self, byte: int) -> None:
        if byte == _QUOTE:
            self.string()
        elif byte == _MINUS or _ZERO <= byte <= _NINE:
            self._skip_number()
        else:
            self._skip_literal()

    def _skip_literal(self) -> None:
        for literal in _LITERALS:
            if bytes(self.view[self.at : self.at + len(literal)]) == literal:
                self.at += len(literal)
                return
        raise self.wrong("broken JSON", "a value")

    def _skip_number(self) -> None:
        start = self.at
        if self._byte(start) == _MINUS:
            start += 1
        at = self._digits(start)
        if self._byte(start) == _ZERO and at - start > 1:
            raise self.wrong("a number with a leading zero", None, start)
        if self._byte(at) == _POINT:
            at = self._digits(at + 1)
        if self._byte(at) in _EXPONENT:
            at += 1
            if self._byte(at) in _SIGNS:
                at += 1
            at = self._digits(at)
        self.at = at
