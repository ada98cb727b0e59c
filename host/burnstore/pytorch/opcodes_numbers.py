"""The pickle's operations that make a number or a constant, as the restricted unpickler has them.

Each takes the unpickler. What makes no sense raises any error: the unpickler tells what became of the pickle.
"""

from __future__ import annotations

import pickle
import struct
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from burnstore.pytorch.opcodes_data import take

if TYPE_CHECKING:
    from burnstore.pytorch.unpickler import Unpickler

_TRUTHS = {b"00\n": False, b"01\n": True}  # as protocols 0 and 1 write them
_DOUBLE = struct.Struct(">d")
_from_bytes = int.from_bytes


def take_none(machine: Unpickler) -> None:
    """None."""
    machine.append(None)


def take_true(machine: Unpickler) -> None:
    """True."""
    machine.append(True)


def take_false(machine: Unpickler) -> None:
    """False."""
    machine.append(False)


def take_byte(machine: Unpickler) -> None:
    """An integer of 1 byte."""
    machine.append(machine.read(1)[0])


def take_short(machine: Unpickler) -> None:
    """An integer of 2 bytes, without a sign."""
    machine.count_value()
    machine.append(_integer(machine.read(2), 2, False))


def take_integer(machine: Unpickler) -> None:
    """An integer of 4 bytes."""
    machine.count_value()
    machine.append(_integer(machine.read(4), 4, True))


def _integer(data: bytes, width: int, signed: bool) -> int:
    if len(data) != width:
        raise ValueError("a number is cut short")
    return _from_bytes(data, "little", signed=signed)


def take_integer_line(machine: Unpickler) -> None:
    """An integer, or a truth, that is a line."""
    machine.count_value()
    line = machine.readline()
    machine.append(_TRUTHS[line] if line in _TRUTHS else int(line, 0))


def take_long_line(machine: Unpickler) -> None:
    """An integer that is a line, with an "L" of Python 2 behind it or without."""
    machine.count_value()
    machine.append(int(machine.readline()[:-1].removesuffix(b"L"), 0))


def take_short_long(machine: Unpickler) -> None:
    """An integer behind a size of 1 byte."""
    machine.count_value()
    machine.append(_from_bytes(machine.read(machine.read(1)[0]), "little", signed=True))


def take_long(machine: Unpickler) -> None:
    """An integer behind a size of 4 bytes."""
    machine.count_value()
    machine.append(_from_bytes(take(machine, 4), "little", signed=True))


def take_float(machine: Unpickler) -> None:
    """A float of 8 bytes."""
    machine.count_value()
    machine.append(_DOUBLE.unpack(machine.read(8))[0])


def take_float_line(machine: Unpickler) -> None:
    """A float that is a line."""
    machine.count_value()
    machine.append(float(machine.readline()[:-1]))


OPERATIONS: dict[bytes, Callable[[Any], None]] = {
    pickle.NONE: take_none,
    pickle.NEWTRUE: take_true,
    pickle.NEWFALSE: take_false,
    pickle.BININT1: take_byte,
    pickle.BININT2: take_short,
    pickle.BININT: take_integer,
    pickle.INT: take_integer_line,
    pickle.LONG: take_long_line,
    pickle.LONG1: take_short_long,
    pickle.LONG4: take_long,
    pickle.BINFLOAT: take_float,
    pickle.FLOAT: take_float_line,
}
