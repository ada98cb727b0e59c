"""The errors of the package: one family, a class per cause.

Every message says which source, which item, what is wrong, what was expected, what was found and
at which byte, as far as these are known where it is raised.
"""

if False:  # for type checkers
    from typing import Self

    from burnpack.result import ApplyResult


# The first and the last of each run of letters that are not printed as they are: controls, breaks of lines,
# marks of direction, halves of surrogate pairs, and what takes no room, by which two names look alike. The
# runs are in order, so that a letter is looked for up to its own place only. The run of surrogates begins and
# ends with a neighbour, because MicroPython's tool that freezes modules takes none in a constant.
_HIDDEN = (
    "\0\x1f\x7f\x9f\xad\xad\u034f\u034f\u061c\u061c\u115f\u1160\u17b4\u17b5\u180b\u180f\u200b\u200f"
    "\u2028\u202e\u2060\u206f\u3164\u3164\ud7fc\ue000\ufeff\ufeff\uffa0\uffa0\ufff0\ufffb"
    "\U0001d173\U0001d17a\U000e0000\U000e0fff"
)


class BurnpackError(Exception):
    """The base of all errors that reading or writing a model raises.

    Its text is printable, whatever the file's names and values are; the attributes are as they were given.

    The details behind the item are given by name on a computer; by place where a board pays for each name.

    what: what is wrong.
    item: the tensor, key or part that it is wrong with, or None.
    source: the file, or what else the bytes come from, or None.
    offset: where in the source, in bytes, or None.
    expected, found: what a reader expects and what is there, or None.
    """

    what: str
    item: str | None
    source: str | None
    offset: int | None
    expected: object
    found: object

    _of_lines = False  # whether `what` may have several lines

    def __init__(
        self,
        what: str,
        item: str | None = None,
        source: str | None = None,
        offset: int | None = None,
        expected: object = None,
        found: object = None,
    ) -> None:
        shown = [printable(line, 2000) for line in (what.split("\n") if self._of_lines else [what])]
        super().__init__(_text("\n".join(shown), item, source, offset, expected, found))
        self.what = what
        self.item = item
        self.source = source
        self.offset = offset
        self.expected = expected
        self.found = found

    def within(self, source: str | None) -> "Self":
        """Return this error, told that it happened in `source`, unless it knows one already."""
        return self if self.source or not source else self.about(self.item, source)

    def about(self, item: str | None, source: str | None) -> "Self":
        """Return this error, told that it is about `item` and happened in `source`."""
        return type(self)(self.what, item, source, self.offset, self.expected, self.found)


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
    """Tensors and module do not fit each other. result: the `ApplyResult` that says so, if there is one."""

    _of_lines = True
    result: "ApplyResult"


class SaveFailed(BurnpackError):
    """Nothing was written, for a reason outside the data."""


def _text(
    what: str, item: str | None, source: str | None, offset: int | None, expected: object, found: object
) -> str:
    facts = []
    for name, fact in (("expected ", expected), ("found ", found), ("at byte ", offset)):
        if fact is not None:
            facts.append(name + printable(str(fact)))
    text = ": ".join([printable(str(part)) for part in (source, item) if part is not None] + [what])
    return text + " (%s)" % ", ".join(facts) if facts else text


def printable(text: str, most: int = 200) -> str:
    """Return `text` on one line: what is not seen, or moves what is, escaped, cut to `most` characters."""
    if len(text) > most:
        text = text[: most - 1] + "…"
    if not text or (min(text) >= " " and max(text) <= "~"):  # as nearly all are
        return text
    shown = {letter: _shown(letter) for letter in set(text)}  # each once, as in texts of any language
    return "".join([shown[letter] for letter in text])


def _shown(letter: str) -> str:
    """Return the letter, escaped where it is one of the hidden."""
    for at in range(0, len(_HIDDEN), 2):
        if letter <= _HIDDEN[at + 1]:
            if letter < _HIDDEN[at]:
                break
            code = ord(letter)
            return ("\\x%02x" if code < 0x100 else "\\u%04x" if code < 0x10000 else "\\U%08x") % code
    return letter
