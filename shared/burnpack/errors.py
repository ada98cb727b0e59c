"""The errors of the package: one family, a class per cause.

Every message says which source, which item, what is wrong, what was expected, what was found and
at which byte, as far as these are known where it is raised.
"""


class BurnpackError(Exception):
    """The base of all errors that reading or writing a model raises."""

    def __init__(self, what, item=None, source=None, offset=None, expected=None, found=None):
        super().__init__(_text(what, item, source, offset, expected, found))
        self.what = what
        self.item = item
        self.source = source
        self.offset = offset
        self.expected = expected
        self.found = found

    def within(self, source):
        """Return this error, told that it happened in `source`, unless it knows one already."""
        if self.source or not source:
            return self
        return type(self)(self.what, self.item, source, self.offset, self.expected, self.found)


class Truncated(BurnpackError):
    """The container ends before what it announces."""


class Malformed(BurnpackError):
    """The bytes break a rule of their format."""


class UnknownFormat(BurnpackError):
    """The bytes belong to no format that is read here."""


class Unsupported(BurnpackError):
    """The format allows this, and this package does not handle it."""


class LimitExceeded(BurnpackError):
    """A size or a count is over the limit that the caller set."""


class DuplicateName(BurnpackError):
    """Two items of one container have the same name."""


class NotFound(BurnpackError):
    """No item has the name that was asked for."""


class InvalidTensor(BurnpackError):
    """A tensor's name, dtype, shape and bytes do not belong together."""


class LoadFailed(BurnpackError):
    """Tensors and module do not fit each other."""


class SaveFailed(BurnpackError):
    """Nothing was written, for a reason outside the data."""


def _text(what, item, source, offset, expected, found):
    where = [printable(str(part)) for part in (source, item) if part is not None]
    facts = []
    if expected is not None:
        facts.append("expected %s" % (printable(str(expected)),))
    if found is not None:
        facts.append("found %s" % (printable(str(found)),))
    if offset is not None:
        facts.append("at byte %d" % offset)
    text = ": ".join(where + [what])
    return "%s (%s)" % (text, ", ".join(facts)) if facts else text


def printable(text, most=200):
    """Return `text` on one line: what moves a cursor or breaks a line escaped, cut to `most` characters."""
    if len(text) > most:
        text = text[: most - 1] + "…"
    return "".join([letter if _is_plain(ord(letter)) else _escaped(ord(letter)) for letter in text])


def _is_plain(code):
    if code < 0xA0:
        return 0x20 <= code < 0x7F
    # Neither the breaks of lines and marks of direction of Unicode, nor halves of a surrogate pair.
    return not (0x2028 <= code <= 0x202E or 0xD800 <= code < 0xE000)


def _escaped(code):
    return "\\x%02x" % code if code < 256 else "\\u%04x" % code
