"""The pickle's operations on bytes, texts and the memo, as the restricted unpickler has them.

Each takes the unpickler. What is read is never more than there is, whatever size the pickle claims.
"""

from __future__ import annotations

import codecs
import pickle
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from burnpack.errors import LimitExceeded, Malformed, Truncated

if TYPE_CHECKING:
    from burnstore.pytorch.unpickler import Unpickler

_UNSET = object()
_from_bytes = int.from_bytes


def take(machine: Unpickler, width: int) -> bytes:
    """Return the bytes behind a size, which takes `width` bytes."""
    size = _from_bytes(machine.read(width), "little")
    data = machine.read(size) if size <= machine.size else b""
    if len(data) != size:
        raise Truncated(
            "the pickle is cut short",
            "the pickle",
            offset=machine.size,
            expected=f"{size} bytes",
            found=len(data),
        )
    return data


def take_text(machine: Unpickler) -> None:
    """A text behind a size of 4 bytes."""
    machine.count_value()
    machine.append(str(take(machine, 4), "utf-8", "surrogatepass"))


def take_long_text(machine: Unpickler) -> None:
    """A text behind a size of 8 bytes."""
    machine.count_value()
    machine.append(str(take(machine, 8), "utf-8", "surrogatepass"))


def take_bytes(machine: Unpickler) -> None:
    """Bytes behind a size of 4 bytes."""
    machine.count_value()
    machine.append(take(machine, 4))


def take_long_bytes(machine: Unpickler) -> None:
    """Bytes behind a size of 8 bytes; a bytearray is read as bytes, for nothing changes it here."""
    machine.count_value()
    machine.append(take(machine, 8))


def take_short_text(machine: Unpickler) -> None:
    """A text behind a size of 1 byte."""
    machine.count_value()
    machine.append(str(machine.read(machine.read(1)[0]), "utf-8", "surrogatepass"))


def take_text_line(machine: Unpickler) -> None:
    """A text that is a line, in which other characters than Latin-1's are escaped."""
    machine.count_value()
    machine.append(str(machine.readline()[:-1], "raw-unicode-escape"))


def take_short_bytes(machine: Unpickler) -> None:
    """Bytes behind a size of 1 byte."""
    machine.count_value()
    machine.append(machine.read(machine.read(1)[0]))


# The texts of Python 2 are UTF-8, or bytes, which survive this way.


def take_string(machine: Unpickler) -> None:
    """A text of Python 2 behind a size of 4 bytes."""
    machine.count_value()
    machine.append(str(take(machine, 4), "utf-8", "surrogateescape"))


def take_short_string(machine: Unpickler) -> None:
    """A text of Python 2 behind a size of 1 byte."""
    machine.count_value()
    machine.append(str(machine.read(machine.read(1)[0]), "utf-8", "surrogateescape"))


def take_string_line(machine: Unpickler) -> None:
    """A text of Python 2 that is a line, in quotes, with escapes as in a source."""
    machine.count_value()
    line = machine.readline()[:-1]
    if len(line) < 2 or line[0] != line[-1] or line[:1] not in (b"'", b'"'):
        raise ValueError("a text without its quotes")
    data, _ = codecs.escape_decode(line[1:-1])
    machine.append(str(data, "utf-8", "surrogateescape"))


# The memo: a list that grows as the pickler numbers it, whatever number the pickle claims.


def _keep(machine: Unpickler, number: int) -> None:
    kept = machine.kept
    if not 0 <= number < machine.budget.operations_most:
        raise LimitExceeded(
            "a memo's number is too high", "the pickle", expected=machine.budget.operations_most, found=number
        )
    if number >= len(kept):
        kept.extend([_UNSET] * (number + 1 - len(kept)))
    kept[number] = machine.stack[-1]


def _recall(machine: Unpickler, number: int) -> None:
    value = machine.kept[number] if 0 <= number < len(machine.kept) else _UNSET
    if value is _UNSET:
        raise Malformed("the pickle uses what it has not made", "the pickle", found=f"memo {number}")
    machine.append(value)


def put(machine: Unpickler) -> None:
    """Number the top of the stack; the number is a line."""
    _keep(machine, int(machine.readline()))


def put_byte(machine: Unpickler) -> None:
    """Number the top of the stack; the number is a byte."""
    number = ord(machine.read(1))
    if number == len(machine.kept):  # nearly always
        machine.kept.append(machine.stack[-1])
    else:
        _keep(machine, number)


def put_word(machine: Unpickler) -> None:
    """Number the top of the stack; the number takes 4 bytes."""
    number = _from_bytes(machine.read(4), "little")
    if number == len(machine.kept):  # nearly always
        machine.kept.append(machine.stack[-1])
    else:
        _keep(machine, number)


def memoize(machine: Unpickler) -> None:
    """Give the top of the stack the next number."""
    machine.kept.append(machine.stack[-1])


def get(machine: Unpickler) -> None:
    """Put on the stack what has this number, a line."""
    _recall(machine, int(machine.readline()))


def get_byte(machine: Unpickler) -> None:
    """Put on the stack what has this number, a byte."""
    _recall(machine, ord(machine.read(1)))


def get_word(machine: Unpickler) -> None:
    """Put on the stack what has this number, of 4 bytes."""
    _recall(machine, _from_bytes(machine.read(4), "little"))


OPERATIONS: dict[bytes, Callable[[Any], None]] = {
    pickle.UNICODE: take_text_line,
    pickle.SHORT_BINUNICODE: take_short_text,
    pickle.BINUNICODE: take_text,
    pickle.BINUNICODE8: take_long_text,
    pickle.SHORT_BINBYTES: take_short_bytes,
    pickle.BINBYTES: take_bytes,
    pickle.BINBYTES8: take_long_bytes,
    pickle.BYTEARRAY8: take_long_bytes,
    pickle.STRING: take_string_line,
    pickle.SHORT_BINSTRING: take_short_string,
    pickle.BINSTRING: take_string,
    pickle.PUT: put,
    pickle.BINPUT: put_byte,
    pickle.LONG_BINPUT: put_word,
    pickle.MEMOIZE: memoize,
    pickle.GET: get,
    pickle.BINGET: get_byte,
    pickle.LONG_BINGET: get_word,
}
