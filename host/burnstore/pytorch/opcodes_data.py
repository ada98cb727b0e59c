"""The pickle's operations on bytes, texts and the memo, as the restricted unpickler has them.

Each takes the unpickler. What is read is never more than there is, whatever size the pickle claims.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from burnpack.errors import LimitExceeded, Malformed, Truncated

if TYPE_CHECKING:
    from burnstore.pytorch.unpickler import Unpickler

_UNSET = object()
_from_bytes = int.from_bytes


def _take(machine: Unpickler, width: int) -> bytes:
    size = _from_bytes(machine.read(width), "little")
    data = machine.read(size) if size <= machine.size else b""
    if len(data) != size:
        raise Truncated(
            "the pickle is cut short", "the pickle", None, machine.size, f"{size} bytes", len(data)
        )
    return data


def take_text(machine: Unpickler) -> None:
    """A text behind a size of 4 bytes."""
    machine.count_value()
    machine.append(str(_take(machine, 4), "utf-8", "surrogatepass"))


def take_long_text(machine: Unpickler) -> None:
    """A text behind a size of 8 bytes."""
    machine.count_value()
    machine.append(str(_take(machine, 8), "utf-8", "surrogatepass"))


def take_bytes(machine: Unpickler) -> None:
    """Bytes behind a size of 4 bytes."""
    machine.count_value()
    machine.append(_take(machine, 4))


def take_long_bytes(machine: Unpickler) -> None:
    """Bytes behind a size of 8 bytes; a bytearray is read as bytes, for nothing changes it here."""
    machine.count_value()
    machine.append(_take(machine, 8))


def take_string(machine: Unpickler) -> None:
    """A text of Python 2 behind a size of 4 bytes."""
    machine.count_value()
    machine.append(str(_take(machine, 4), machine.encoding, machine.errors))


def take_long(machine: Unpickler) -> None:
    """An integer behind a size of 4 bytes."""
    machine.count_value()
    machine.append(_from_bytes(_take(machine, 4), "little", signed=True))


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
    pickle.BINUNICODE: take_text,
    pickle.BINUNICODE8: take_long_text,
    pickle.BINBYTES: take_bytes,
    pickle.BINBYTES8: take_long_bytes,
    pickle.BYTEARRAY8: take_long_bytes,
    pickle.BINSTRING: take_string,
    pickle.LONG4: take_long,
    pickle.PUT: put,
    pickle.BINPUT: put_byte,
    pickle.LONG_BINPUT: put_word,
    pickle.MEMOIZE: memoize,
    pickle.GET: get,
    pickle.BINGET: get_byte,
    pickle.LONG_BINGET: get_word,
}
