"""The index of a Burnpack container, its long parts decoded at C speed.

cbor2 reads the map of tensors where it is as in nearly every file: plain dtypes, sorted or not; and the texts
of the metadata. Whatever it refuses and whatever looks unusual is read by `burnpack.index`, which takes it or
says what is wrong and where.
"""

import io
from collections.abc import Collection, Iterable
from itertools import chain
from operator import itemgetter
from typing import Any

import cbor2

from burnpack.cbor import Cursor
from burnpack.checks import RANK_MOST, check_shape
from burnpack.descriptor import FLOATS, INTEGERS
from burnpack.dtype import ROWS
from burnpack.errors import BurnpackError
from burnpack.index import Index
from burnpack.layout import ALIGNMENT
from burnpack.limits import Limits
from burnpack.reader import Reader
from burnstore.io.collection import no_collection
from burnstore.io.entries import Entries

_SIZES = {name: bits // 8 for name, bits, _, _ in ROWS if name in FLOATS or name in INTEGERS}
_FALSE, _TRUE = b"\xf4", b"\xf5"
_DEPTH = 8  # the ordinary map of tensors is nested 3 deep
_WORD = 1 << 64
_REQUIRED = ("dtype", "shape", "data_offsets")  # and a param_id, or none
_SHAPE = itemgetter("shape")
_OFFSETS = itemgetter("data_offsets")
# Tags that cbor2 would turn into something else without a word: numbers, shared values, strings.
_TAGS = (0, 1, 2, 3, 4, 5, 25, 28, 29, 30, 35, 36, 37, 100, 256, 258, 260, 261, 1004, 43000, 55799)


class Unusual(Exception):
    """This part of the metadata is for the other decoder to judge."""


# What decoding and checking raise for metadata that is not the ordinary kind.
_FOR_THE_OTHER = (
    Unusual,
    BurnpackError,
    TypeError,
    KeyError,
    ValueError,
    AttributeError,
    OverflowError,
    RecursionError,
    MemoryError,
)


class FastIndex(Entries, Index):
    """`burnpack.index.Index`, with what it read kept."""

    def __init__(self, view: memoryview, limits: Limits) -> None:
        Entries.__init__(self)
        self._pairs: list[tuple[str, str]] | None = None
        Index.__init__(self, view, limits)

    def metadata(self) -> list[tuple[str, str]]:
        """Return the (key, value) texts."""
        if self._pairs is None:
            self._pairs = Index.metadata(self)
        return list(self._pairs)

    def _read_tensors(self, cursor: Cursor) -> None:
        try:
            encoded = bytes(cursor.view[cursor.at :])
            tensors, size = _decode(encoded)
            _check_types(tensors)
            _check_no_booleans(encoded[:size], tensors.values())
            self._take(tensors, self._limits)
        except _FOR_THE_OTHER:
            self._rows = []
            super()._read_tensors(cursor)
        else:
            cursor.at += size

    def _read_descriptor(self, cursor: Cursor, name: str) -> Any:
        found = super()._read_descriptor(cursor, name)
        dtype, shape, start, end, param_id, _ = found
        self._rows.append((name, dtype, shape, start, end, param_id))
        return found

    def _texts(self, cursor: Cursor) -> Iterable[tuple[str, str]]:
        try:
            texts, size = _decode(bytes(cursor.view[cursor.at :]))
            if not all(type(text) is str for pair in texts.items() for text in pair):
                raise Unusual
        except _FOR_THE_OTHER:
            found: Iterable[tuple[str, str]] = super()._texts(cursor)
            return found
        cursor.at += size
        return texts.items()

    def _take(self, tensors: dict[str, dict[str, Any]], limits: Limits) -> None:
        # One pass over thousands of tensors: what is checked for each is kept short, and told apart later.
        last = claimed = starts = numbers = fields = 0
        for name, descriptor in tensors.items():
            start, end = descriptor["data_offsets"]
            shape = descriptor["shape"]
            dtype = descriptor["dtype"]
            size = _SIZES[dtype]
            numbers |= end  # a float raises, a negative number makes them all negative
            if len(shape) > RANK_MOST:  # before their product grows
                raise Unusual
            for extent in shape:
                numbers |= extent
                size *= extent
            if not 0 < size < _WORD:
                check_shape(name, shape)  # extents of zero hide how large the others are
            if end - start != size or size > limits.tensor:
                raise Unusual
            fields += len(descriptor)
            claimed += size
            starts |= start
            if end > last:
                last = end
            self._rows.append((name, dtype, tuple(shape), start, end, descriptor.get("param_id")))
        if claimed > last or numbers < 0 or starts < 0 or len(tensors) > limits.tensors:
            raise Unusual
        if fields != len(_REQUIRED) * len(tensors):
            _check_param_ids(tensors.values())
        self.end, self.claimed, self.aligned = last, claimed, starts % ALIGNMENT == 0


class FastReader(Reader):
    """`burnpack.Reader`, indexing at C speed where it can."""

    @staticmethod
    def _index_of(view: memoryview, limits: Limits) -> FastIndex:
        with no_collection():
            return FastIndex(view, limits)


def _check_types(tensors: dict[str, dict[str, Any]]) -> None:
    """Refuse what Python can unpack and loop over as well as a list, and names that are no texts."""
    rows = tensors.values()
    lists = set(map(type, chain(map(_SHAPE, rows), map(_OFFSETS, rows))))
    if not (lists <= {list} and set(map(type, tensors)) <= {str}):
        raise Unusual


def _check_param_ids(rows: Collection[dict[str, Any]]) -> None:
    identities = [row["param_id"] for row in rows if len(row) != len(_REQUIRED)]
    unsigned = all(type(identity) is int and identity >= 0 for identity in identities)
    if not unsigned or max(map(len, rows), default=0) > len(_REQUIRED) + 1:
        raise Unusual


def _check_no_booleans(encoded: bytes, rows: Collection[dict[str, Any]]) -> None:
    """Refuse booleans, which Python counts among the integers."""
    if _FALSE not in encoded and _TRUE not in encoded:
        return
    if bool in map(
        type, chain(chain.from_iterable(map(_OFFSETS, rows)), chain.from_iterable(map(_SHAPE, rows)))
    ):
        raise Unusual


def _decode(encoded: bytes) -> tuple[dict[Any, Any], int]:
    """Return the map that the bytes begin with, and how many of them it takes."""
    file = io.BytesIO(encoded)
    decoder = cbor2.CBORDecoder(
        file,
        allow_duplicate_keys=False,
        strict_hashable_types=True,
        semantic_decoders=_REFUSED,
        tag_hook=_refuse,
        max_depth=_DEPTH,
    )
    try:
        decoded = decoder.decode()
    except cbor2.CBORError:
        raise Unusual from None
    if type(decoded) is not dict:
        raise Unusual
    return decoded, file.tell()


def _refuse(*_: Any) -> Any:
    raise Unusual


_REFUSED = dict.fromkeys(_TAGS, _refuse)
