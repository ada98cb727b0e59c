"""The index of a SafeTensors container, read at the speed of the regular expression engine.

Headers are taken that look as the reference implementation writes them, which nearly all do. Whatever
looks otherwise goes to `burnpack.safetensors.Index`, which reads it or says what is wrong and where.
"""

import json
import re
from operator import sub

from burnpack.checks import check_shape
from burnpack.dtype import ROWS, count
from burnpack.errors import BurnpackError
from burnpack.json_header import OBJECT
from burnpack.limits import Limits
from burnpack.safetensors import Index, Reader
from burnpack.safetensors_header import DTYPES, HEADER_START, METADATA, burn_name, check_whole

_NUMBER = rb"(?:0|[1-9][0-9]{0,18}+)"  # at most 19 digits: all are below 2**64
_EXTENTS = rb"(?:%b(?:,%b)*+)?+" % (_NUMBER, _NUMBER)
# A member with the mark before it. No part gives back what it took, so a hostile header takes linear time.
_MEMBER = re.compile(
    rb'([{,])"([^"\\\x00-\x1f]*+)":'
    rb'\{"dtype":"([A-Z0-9_]++)","shape":\[(%b)\],"data_offsets":\[(%b),(%b)\]\}'
    % (_EXTENTS, _NUMBER, _NUMBER)
)
_BETWEEN = len('"":{"dtype":"","shape":[],"data_offsets":[,]}')  # bytes of a member that no group holds
_METADATA_FIRST = b'{"%s":' % METADATA.encode()
_DECODER = json.JSONDecoder(object_pairs_hook=list)  # which shows a repeated key
_DTYPES = {name.encode(): burn_name(name) for name in DTYPES}
_BITS = {name: bits for name, bits, _, _ in ROWS}

Entry = tuple[str, str, tuple[int, ...], int, int, None]
Kind = tuple[str, tuple[int, ...], int]  # dtype, shape, size in bytes
Columns = tuple[tuple[bytes, ...], ...]


class Unusual(Exception):
    """The header is for the other index to judge."""


class FastIndex:
    """The same as `burnpack.safetensors.Index`."""

    def __init__(self, view: memoryview, data_size: int, limits: Limits) -> None:
        header = bytes(view)
        self._texts, at = _metadata(header)
        names, dtypes, extents, starts, ends = _columns(header, at)
        if len(names) > limits.tensors:
            raise Unusual
        self.data_start = HEADER_START + len(header)
        self._names = _decoded(names)
        self._numbers = dict(zip(self._names, range(len(names)), strict=True))
        self._ends = _reaches(starts, ends)
        kinds = {pair: _kind(*pair) for pair in set(zip(dtypes, extents, strict=True))}
        self._kinds = list(map(kinds.__getitem__, zip(dtypes, extents, strict=True)))
        sizes = [size for _, _, size in kinds.values()]
        if len(self._numbers) != len(names) or METADATA in self._numbers or max(sizes) > limits.tensor:
            raise Unusual
        if not self._exact() or self._ends[-1] != data_size:
            raise Unusual

    def __len__(self) -> int:
        return len(self._names)

    def name(self, number: int) -> str:
        """Return the name of a tensor."""
        return self._names[number]

    def find(self, name: str) -> int:
        """Return the number of the tensor called `name`, or -1."""
        return self._numbers.get(name, -1)

    def entry(self, number: int) -> Entry:
        """Return a tensor's (name, dtype, shape, start, end, None), counted from the file's start."""
        dtype, shape, size = self._kinds[number]
        end = self.data_start + self._ends[number]
        return self._names[number], dtype, shape, end - size, end, None

    def metadata(self) -> list[tuple[str, str]]:
        """Return the (key, value) texts."""
        return list(self._texts)

    def scalars(self) -> list[tuple[str, tuple[str, bool | int | float]]]:
        """Return [], as the format has none."""
        return []

    def _exact(self) -> bool:
        """Tell whether each tensor has as many bytes as its kind takes."""
        sizes = list(map(sub, self._ends, [0, *self._ends]))
        return sizes == [size for _, _, size in self._kinds]


class FastReader(Reader):
    """`burnpack.safetensors.Reader`, indexing at full speed where it can."""

    @staticmethod
    def _index_of(view: memoryview, data_size: int, limits: Limits) -> FastIndex | Index:
        try:
            return FastIndex(view, data_size, limits)
        except Unusual:
            return Index(view, data_size, limits)


def _metadata(header: bytes) -> tuple[list[tuple[str, str]], int]:
    """Return the metadata and where it ends, if it comes first, and else [] and 0."""
    if not header.startswith(_METADATA_FIRST):
        return [], 0
    try:
        text = header.decode()
        pairs, end = _DECODER.raw_decode(text, len(_METADATA_FIRST))
        at = len(text[:end].encode())
        strings = [string for pair in pairs for string in pair]
        "".join(strings).encode()  # json lets half a surrogate pair through, which UTF-8 can't hold
    except (ValueError, TypeError, RecursionError):
        raise Unusual from None
    if header[len(_METADATA_FIRST)] != OBJECT or len(dict(pairs)) != len(pairs):
        raise Unusual
    return pairs, at


def _columns(header: bytes, at: int) -> Columns:
    """Return the members from `at` on: their names, dtypes, extents, starts and ends."""
    found = _MEMBER.findall(header, at)
    if not found:
        raise Unusual
    columns: Columns = tuple(zip(*found, strict=True))
    # Members that together are as long as the header leave nothing between them unread.
    size = sum(len(b"".join(column)) for column in columns) + _BETWEEN * len(found)
    if header[at + size :].rstrip(b" ") != b"}":
        raise Unusual
    if b"".join(columns[0]) != (b"," if at else b"{") + b"," * (len(found) - 1):
        raise Unusual
    return columns[1:]


def _decoded(names: tuple[bytes, ...]) -> list[str]:
    # No name holds a control character, so all of them can be decoded at once.
    try:
        return b"\n".join(names).decode().split("\n")
    except UnicodeDecodeError:
        raise Unusual from None


def _reaches(starts: tuple[bytes, ...], ends: tuple[bytes, ...]) -> list[int]:
    """Return the ends as numbers, if each tensor starts where the one before it ends."""
    if starts != (b"0", *ends[:-1]):  # no number has two spellings
        raise Unusual
    return list(map(int, ends))


def _kind(name: bytes, extents: bytes) -> Kind:
    if name not in _DTYPES:
        raise Unusual
    dtype = _DTYPES[name]
    shape = tuple(map(int, extents.split(b","))) if extents else ()
    try:
        check_shape("", shape)
        check_whole("", dtype, shape)
    except BurnpackError:
        raise Unusual from None
    return dtype, shape, count(shape) * _BITS[dtype] // 8
