"""The index of a Burnpack container, decoded at C speed.

cbor2 reads what nearly every file holds: plain dtypes, sorted or not, no scalars. Whatever it refuses
and whatever looks unusual goes to `burnpack.index`, which reads it or says what is wrong and where.
"""

import os
from collections.abc import Collection
from itertools import chain
from operator import itemgetter
from typing import Any

import cbor2

from burnpack.checks import RANK_MOST, check_shape
from burnpack.descriptor import FLOATS, INTEGERS
from burnpack.dtype import ROWS
from burnpack.errors import BurnpackError
from burnpack.index import Index
from burnpack.layout import ALIGNMENT
from burnpack.limits import Limits
from burnpack.reader import Reader
from burnstore.collection import no_collection

_SIZES = {name: bits // 8 for name, bits, _, _ in ROWS if name in FLOATS or name in INTEGERS}
_FALSE, _TRUE = b"\xf4", b"\xf5"
_DEPTH = 8  # the ordinary metadata is nested 4 deep
_WORD = 1 << 64
_REQUIRED = ("dtype", "shape", "data_offsets")  # and a param_id, or none
_SHAPE = itemgetter("shape")
_OFFSETS = itemgetter("data_offsets")
# Tags that cbor2 would turn into something else without a word: numbers, shared values, strings.
_TAGS = (0, 1, 2, 3, 4, 5, 25, 28, 29, 30, 35, 36, 37, 100, 256, 258, 260, 261, 1004, 43000, 55799)


class Unusual(Exception):
    """The metadata is for the other decoder to judge."""


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

Entry = tuple[str, str, tuple[int, ...], int, int, int | None]


class FastIndex:
    """The same as `burnpack.index.Index`, made from decoded metadata."""

    def __init__(self, view: memoryview, limits: Limits) -> None:
        self._tensors, self._texts = _decode(view)
        _check_types(self._tensors)
        _check_no_booleans(view, self._tensors.values())
        if len(self._tensors) > limits.tensors:
            raise Unusual
        self._names = list(self._tensors)
        self._numbers: dict[str, int] = {}
        self.format_version = 0
        self.data_start = 0
        self.packed = False
        self.end = 0
        self.claimed = 0
        self.aligned = True
        self._check(limits.tensor)
        self.version = self._texts.get("version")

    def __len__(self) -> int:
        return len(self._names)

    def name(self, number: int) -> str:
        """Return the name of a tensor."""
        return self._names[number]

    def find(self, name: str) -> int:
        """Return the number of the tensor called `name`, or -1."""
        if len(self._numbers) != len(self._names):
            self._numbers = {known: number for number, known in enumerate(self._names)}
        return self._numbers.get(name, -1)

    def entry(self, number: int) -> Entry:
        """Return a tensor's (name, dtype, shape, start, end, param_id), counted from the file's start."""
        name = self._names[number]
        descriptor = self._tensors[name]
        start, end = descriptor["data_offsets"]
        shape = tuple(descriptor["shape"])
        return (
            name,
            descriptor["dtype"],
            shape,
            self.data_start + start,
            self.data_start + end,
            descriptor.get("param_id"),
        )

    def metadata(self) -> list[tuple[str, str]]:
        """Return the (key, value) texts."""
        return list(self._texts.items())

    def scalars(self) -> list[tuple[str, tuple[str, Any]]]:
        """Return nothing: a file with scalars is unusual."""
        return []

    def dialect(self) -> str:
        """Return the Burn release that writes files like this one."""
        return "0.19" if self.packed else "0.22"

    def _check(self, most: int) -> None:
        # One pass over thousands of tensors: what is checked for each is kept short, and told apart later.
        last = claimed = starts = numbers = fields = 0
        for name, descriptor in self._tensors.items():
            start, end = descriptor["data_offsets"]
            shape = descriptor["shape"]
            size = _SIZES[descriptor["dtype"]]
            numbers |= end  # a float raises, a negative number makes them all negative
            for extent in shape:
                numbers |= extent
                size *= extent
            if not 0 < size < _WORD or len(shape) > RANK_MOST:
                check_shape(name, shape)  # extents of zero hide how large the others are
            if end - start != size or size > most:
                raise Unusual
            fields += len(descriptor)
            claimed += size
            starts |= start
            if end > last:
                last = end
        if claimed > last or numbers < 0 or starts < 0:
            raise Unusual
        if fields != len(_REQUIRED) * len(self._tensors):
            _check_param_ids(self._tensors.values())
        self.end, self.claimed, self.aligned = last, claimed, starts % ALIGNMENT == 0


class FastReader(Reader):
    """`burnpack.Reader`, indexing at C speed where it can."""

    @staticmethod
    def _index_of(view: memoryview, limits: Limits) -> FastIndex | Index:
        with no_collection():
            try:
                return FastIndex(view, limits)
            except _FOR_THE_OTHER:
                return Index(view, limits)


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


def _check_no_booleans(view: memoryview, rows: Collection[dict[str, Any]]) -> None:
    """Refuse booleans, which Python counts among the integers."""
    encoded = bytes(view)
    if _FALSE not in encoded and _TRUE not in encoded:
        return
    if bool in map(
        type, chain(chain.from_iterable(map(_OFFSETS, rows)), chain.from_iterable(map(_SHAPE, rows)))
    ):
        raise Unusual


def _decode(view: memoryview) -> tuple[dict[str, dict[str, Any]], dict[str, str]]:
    # An array around the metadata and a marker behind it show whether the map ends where it should.
    marker = os.urandom(16)
    wrapped = b"\x82" + bytes(view) + b"\x50" + marker
    try:
        decoded = cbor2.loads(
            wrapped,
            allow_duplicate_keys=False,
            strict_hashable_types=True,
            semantic_decoders=_REFUSED,
            tag_hook=_refuse,
            max_depth=_DEPTH,
        )
    except cbor2.CBORError:
        raise Unusual from None
    if len(decoded) != 2 or decoded[1] != marker:
        raise Unusual
    metadata = decoded[0]
    tensors, texts = metadata.pop("tensors"), metadata.pop("metadata", {})
    if metadata or type(tensors) is not dict or type(texts) is not dict:
        raise Unusual
    if not all(type(text) is str for pair in texts.items() for text in pair):
        raise Unusual
    return tensors, texts


def _refuse(*_: Any) -> Any:
    raise Unusual


_REFUSED = dict.fromkeys(_TAGS, _refuse)
