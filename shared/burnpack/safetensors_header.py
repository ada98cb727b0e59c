"""The SafeTensors container, and what its header says of a tensor.

    offset  size  field
    0       8     size n of the header, in bytes, unsigned, little-endian
    8       n     the header, one JSON object; spaces may follow it
    8 + n         the bytes of the tensors, end to end: nothing between, before or behind them

The header: name -> {"dtype": text, "shape": [extents], "data_offsets": [start, end]}, counted from the
end of the header, and perhaps "__metadata__" -> {text: text}. Tensors are not aligned.
"""

import struct

from burnpack.checks import RANK_MOST, check_shape
from burnpack.compat import const
from burnpack.dtype import count, row
from burnpack.errors import (
    DuplicateName,
    InvalidTensor,
    LimitExceeded,
    Malformed,
    Truncated,
    UnknownFormat,
    Unsupported,
)
from burnpack.json_header import ARRAY, OBJECT

if False:  # for type checkers
    from collections.abc import Sequence
    from typing import Any

    from burnpack.json_header import Cursor
    from burnpack.limits import Limits
    from burnpack.types import Buffer, Shape


SIZE = "<Q"  # the size of the header
HEADER_START = const(8)  # struct.calcsize(SIZE); a test ties the two
HEADER_MOST = const(100_000_000)  # bytes; the reference takes no larger header
METADATA = "__metadata__"

# Each dtype as SafeTensors spells it, in the order that its writers rank them by. `burnpack.dtype`
# spells them alike, but for "BOOL".
DTYPES: tuple[str, ...] = (
    "BOOL",
    "F4",
    "F6_E2M3",
    "F6_E3M2",
    "U8",
    "I8",
    "F8_E5M2",
    "F8_E4M3",
    "F8_E8M0",
    "F8_E4M3FNUZ",
    "F8_E5M2FNUZ",
    "I16",
    "U16",
    "F16",
    "BF16",
    "I32",
    "U32",
    "F32",
    "C64",
    "F64",
    "I64",
    "U64",
)


def parse_size(beginning: "Buffer", file_size: int, limits: "Limits") -> int:
    """Return the size of the header, in bytes.

    beginning: the first bytes of the file, at least 9 where it has as many.
    """
    if file_size < HEADER_START:
        what = "the header is cut short" if file_size else "the file is empty"
        raise Truncated(what, None, None, 0, HEADER_START, file_size)
    size: int = struct.unpack_from(SIZE, beginning, 0)[0]
    if file_size > HEADER_START and beginning[HEADER_START] != OBJECT:
        raise UnknownFormat("not a SafeTensors file", None, None, HEADER_START, '"{"', bytes(beginning))
    most = min(limits.metadata, HEADER_MOST)
    if size > most:
        raise LimitExceeded("the header is too large", None, None, 0, "at most %d" % most, size)
    if size == 0:
        raise Malformed("the header is empty", None, None, 0)
    if size > file_size - HEADER_START:
        raise Truncated("the header is cut short", None, None, 0, HEADER_START + size, file_size)
    return size


def parse_entry(cursor: "Cursor") -> "tuple[str, Shape, int, int]":
    """Read a tensor's description.

    Returns (dtype, shape, start, end), dtype as `burnpack.dtype` spells it, start and end counted from
    the end of the header.
    """
    place = cursor.at
    found: "list[Any]" = [None] * len(_FIELDS)
    cursor.enter(OBJECT)
    while cursor.another(OBJECT):
        key = cursor.key()
        if key not in _FIELDS:
            cursor.skip()
            continue
        number = _FIELDS.index(key)
        if found[number] is not None:
            raise DuplicateName("%r twice" % key, cursor.item, None, HEADER_START + cursor.at)
        found[number] = _PARSERS[number](cursor)
    for number, value in enumerate(found):
        if value is None:
            raise Malformed("no %r" % _FIELDS[number], cursor.item, None, HEADER_START + place)
    dtype, shape, (start, end) = found
    return dtype, shape, start, end


def _parse_dtype(cursor: "Cursor") -> str:
    cursor.peek()
    place = HEADER_START + cursor.at
    name = cursor.string()
    if name not in DTYPES:
        raise Unsupported("an unknown dtype", cursor.item, None, place, None, name)
    return burn_name(DTYPES[DTYPES.index(name)])  # the one text of this name that is in memory anyway


def _parse_shape(cursor: "Cursor") -> "Shape":
    place = HEADER_START + cursor.at
    shape = []
    cursor.enter(ARRAY)
    while cursor.another(ARRAY):
        shape.append(cursor.unsigned())
        if len(shape) > RANK_MOST:
            check_shape(cursor.item, shape, place)  # raises, before the list takes all memory
    return tuple(shape)


def _parse_offsets(cursor: "Cursor") -> list[int]:
    place = cursor.at
    offsets = []
    cursor.enter(ARRAY)
    while cursor.another(ARRAY):
        offsets.append(cursor.unsigned())
        if len(offsets) > 2:
            break
    if len(offsets) != 2:
        raise cursor.wrong("not a start and an end", None, place)
    return offsets


_FIELDS = ("dtype", "shape", "data_offsets")
_PARSERS = (_parse_dtype, _parse_shape, _parse_offsets)


def burn_name(dtype: str) -> str:
    """Return how `burnpack.dtype` spells a dtype of `DTYPES`."""
    return "Bool" if dtype == "BOOL" else dtype


def check_whole(name: str | None, dtype: str, shape: "Sequence[int]", offset: int | None = None) -> None:
    """Refuse a tensor that ends inside a byte."""
    bits = count(shape) * row(dtype)[1]  # type: ignore[index] # every one of `DTYPES` has a row
    if bits % 8:
        raise InvalidTensor("not a whole number of bytes", name, None, offset, "a multiple of 8 bits", bits)


def check_end(end: int, file_size: int) -> None:
    """Refuse a file that is not exactly as long as its header says. end: where its last tensor ends."""
    if file_size < end:
        raise Truncated("the file is cut short", None, None, None, end, file_size)
    if file_size > end:
        raise Malformed("bytes after the last tensor", None, None, None, end, file_size)
