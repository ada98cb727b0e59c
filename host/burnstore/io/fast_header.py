"""The index of a SafeTensors container, read at the speed of Python's JSON decoder.

It takes nearly every valid header, however it is spelt. What it refuses, and what would take much memory,
goes to `burnpack.safetensors.Index`, which reads it or says what is wrong and where.
"""

import json
from collections.abc import Iterable
from itertools import chain
from typing import Any

from burnpack.checks import RANK_MOST, check_shape
from burnpack.dtype import ROWS
from burnpack.errors import BurnpackError
from burnpack.json_header import Cursor
from burnpack.limits import Limits
from burnpack.safetensors import Index, Reader
from burnpack.safetensors_header import DTYPES, HEADER_START, METADATA, burn_name
from burnstore.io.collection import no_collection
from burnstore.io.entries import Entries, Entry

_FIELDS = 3  # of a description: dtype, shape and data_offsets
_DTYPES = {name: burn_name(name) for name in DTYPES}
_BITS = {name: bits for name, bits, _, _ in ROWS}
_ITEMS_MOST = 1 << 21  # values in a header; each takes up to 100 bytes when it is decoded
_WORD = 1 << 64


class Unusual(Exception):
    """The header is for the other index to judge."""


# What decoding and checking raise for a header that is not taken.
_FOR_THE_OTHER = (Unusual, BurnpackError, ValueError, TypeError, KeyError, RecursionError, MemoryError)

Members = tuple[tuple[str, Any], ...]  # an object: a repeated key is seen in it, and it is no array


class FastIndex(Entries):
    """The same as `burnpack.safetensors.Index`."""

    def __init__(self, view: memoryview, data_size: int, limits: Limits) -> None:
        super().__init__()
        header = bytes(view)
        members = _members(header)
        self._texts = _texts([value for name, value in members if name == METADATA])
        tensors = [member for member in members if member[0] != METADATA]
        if len(tensors) > limits.tensors:
            raise Unusual
        _check_keys(tensors)
        self._rows = [_row(name, description, limits.tensor) for name, description in tensors]
        self.data_start = HEADER_START + len(header)
        if _covered(self._rows) != data_size:
            raise Unusual

    def metadata(self) -> list[tuple[str, str]]:
        """Return the (key, value) texts."""
        return list(self._texts)

    def scalars(self) -> list[tuple[str, tuple[str, bool | int | float]]]:
        """Return [], as the format has none."""
        return []


class KeptIndex(Entries, Index):
    """`burnpack.safetensors.Index`, with what it read kept."""

    def __init__(self, view: memoryview, data_size: int, limits: Limits) -> None:
        Entries.__init__(self)
        Index.__init__(self, view, data_size, limits)

    def _read_entry(self, cursor: Cursor) -> tuple[str, tuple[int, ...], int, int]:
        dtype, shape, start, end = super()._read_entry(cursor)
        self._rows.append((cursor.item or "", dtype, shape, start, end, None))
        return dtype, shape, start, end


class FastReader(Reader):
    """`burnpack.safetensors.Reader`, indexing at full speed where it can."""

    @staticmethod
    def _index_of(view: memoryview, data_size: int, limits: Limits) -> FastIndex | Index:
        with no_collection():
            try:
                return FastIndex(view, data_size, limits)
            except _FOR_THE_OTHER:
                return KeptIndex(view, data_size, limits)


def _members(header: bytes) -> Members:
    """Return the members of the header's object."""
    if sum(map(header.count, (b",", b"[", b"{"))) > _ITEMS_MOST:
        raise Unusual
    # To Python, a zero with a minus is a plain 0. Looking at each number is slow, and rarely needed.
    whole = _unsigned if b"-0" in header else int
    decoded = json.loads(header.decode(), object_pairs_hook=tuple, parse_constant=_refuse, parse_int=whole)
    return _object(decoded)


def _object(decoded: Any) -> Members:
    if type(decoded) is not tuple:
        raise Unusual
    return decoded


def _refuse(text: str) -> Any:
    raise Unusual


def _unsigned(text: str) -> int:
    if text.startswith("-"):
        raise Unusual
    return int(text)


def _texts(found: list[Any]) -> Members:
    """Return the pairs of the metadata, of which there may be one, or null."""
    if len(found) > 1:
        raise Unusual
    if not found or found[0] is None:
        return ()
    pairs = _object(found[0])
    _check_keys(pairs)
    "".join([text for _, text in pairs]).encode()
    return pairs


def _check_keys(members: Iterable[tuple[str, Any]]) -> None:
    """Refuse a key that is there twice, and one with half a surrogate pair, which UTF-8 can't hold."""
    keys = [key for key, _ in members]
    if len(set(keys)) != len(keys):
        raise Unusual
    "".join(keys).encode()


def _row(name: str, description: Any, most: int) -> Entry:
    fields = dict(_object(description))
    if not len(fields) == len(description) == _FIELDS:
        raise Unusual
    dtype, shape, offsets = _DTYPES[fields["dtype"]], fields["shape"], fields["data_offsets"]
    if not type(shape) is type(offsets) is list or len(shape) > RANK_MOST:  # before their product grows
        raise Unusual
    start, end = offsets
    bits = _BITS[dtype]
    for number in chain(shape, offsets):
        if type(number) is not int or not 0 <= number < _WORD:
            raise Unusual
    for extent in shape:
        bits *= extent
    if not 0 < bits < _WORD:
        check_shape(name, shape)  # extents of zero hide how large the others are
    if bits != 8 * (end - start) or end - start > most:
        raise Unusual
    return name, dtype, tuple(shape), start, end, None


def _covered(rows: list[Entry]) -> int:
    """Return where the data ends, if tensors lie end to end in it in any order."""
    reached = 0
    for start, end in sorted([(row[3], row[4]) for row in rows]):
        if start != reached:
            raise Unusual
        reached = end
    return reached
