"""Arrays of real numbers in .npy files. numpy believes more of a header than it should, so it is read here.

offset  size  field
0       6     magic, the byte 0x93 and NUMPY
6       2     version: 1, 2 or 3, and 0
8       2     size n of the header in bytes, little-endian; in 4 bytes from version 2 on
        n     the header, a dict of Python: descr, fortran_order, shape; Latin-1, in version 3 UTF-8
              the numbers, to the end of the file
"""

import ast
import re
import warnings
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from burnpack.errors import LimitExceeded, Malformed, Truncated, UnknownFormat, Unsupported
from burnstore.io.files import MappedFile, PathLike

MAGIC = b"\x93NUMPY"
_SIZE_AT = 8
_VERSIONS = {b"\x01\x00": (2, "latin-1"), b"\x02\x00": (4, "latin-1"), b"\x03\x00": (4, "utf-8")}
_HEADER_MOST = 10_000  # characters, as numpy has it
_DIMENSIONS = 32
_EXTENT_MOST = (1 << 63) - 1
_REAL = re.compile(r"[<>=|]?(f2|f4|f8|f16|[iu][1248]|b1|\?)")
_SPACES = " \t\n\r\f"  # those of Python's source: text has more
_LONG = re.compile(r"(?<=[\d])L(?=\s*[,)])")  # how Python 2 ends a whole number


class Header(NamedTuple):
    """What a header says, and where the numbers start, in bytes."""

    dtype: np.dtype[Any]
    fortran_order: bool
    shape: tuple[int, ...]
    start: int

    @property
    def size(self) -> int:
        """The bytes of the numbers."""
        return prod(self.shape) * self.dtype.itemsize


def load_array(path: PathLike) -> NDArray[Any]:
    """Return the array in a .npy file, which is mapped: what is used of it is read then.

    Raises `BurnpackError` for what is no such file, `OSError` for what the operating system refuses.
    """
    with MappedFile(path) as mapped:
        return parse_npy(mapped.view, str(path))


def parse_npy(view: memoryview, source: str, item: str | None = None) -> NDArray[Any]:
    """Return the array in the bytes of a .npy file, as a view of them. source, item: what errors call it."""
    header = parse_header(view, source, item)
    found = len(view) - header.start
    if found < header.size:
        raise Truncated(
            "not an array: numbers are missing", item, source=source, expected=header.size, found=found
        )
    if found > header.size:
        what = "not an array: there is more than the numbers that the header tells of"
        raise Malformed(what, item, source=source, expected=header.size, found=found)
    numbers = np.frombuffer(view, header.dtype, prod(header.shape), header.start)
    try:
        return numbers.reshape(header.shape, order="F" if header.fortran_order else "C")
    except ValueError:  # no numbers, and extents beyond numpy's
        raise LimitExceeded("not an array that numpy can hold", item, source=source) from None


def parse_header(view: memoryview, source: str, item: str | None = None) -> Header:
    """Return what the header in the first bytes of a .npy file says."""
    if bytes(view[: len(MAGIC)]) != MAGIC:
        raise UnknownFormat("not an array in a .npy file", item, source=source)
    version = bytes(view[len(MAGIC) : _SIZE_AT])
    if len(version) == 2 and version not in _VERSIONS:
        found = f"{version[0]}.{version[1]}"
        raise Unsupported(
            "not an array of a version that is read", item, source=source, expected="1.0 to 3.0", found=found
        )
    width, encoding = _VERSIONS.get(version, (2, ""))
    text_at = _SIZE_AT + width
    start = text_at + int.from_bytes(view[_SIZE_AT:text_at], "little")
    if start - text_at > _HEADER_MOST:
        what = "not an array: the header is too long"
        raise LimitExceeded(
            what, item, source=source, expected=f"at most {_HEADER_MOST} bytes", found=start - text_at
        )
    if len(view) < start or len(view) < text_at:
        what = "not an array: the header is cut short"
        raise Truncated(what, item, source=source, expected=max(start, text_at), found=len(view))
    return _told(bytes(view[text_at:start]), encoding, start, source, item)


def _told(header: bytes, encoding: str, start: int, source: str, item: str | None) -> Header:
    facts = _literal(header, encoding)
    if not isinstance(facts, dict) or {*facts} != {"descr", "fortran_order", "shape"}:
        what = "not an array: the header is no dict of descr, fortran_order and shape"
        raise Malformed(what, item, source=source)
    descr, order, shape = facts["descr"], facts["fortran_order"], facts["shape"]
    if type(descr) is not str or not _REAL.fullmatch(descr):
        raise Unsupported("not an array of real numbers", item, source=source, found=descr)
    if type(order) is not bool:
        raise Malformed("not an array: fortran_order is no bool", item, source=source, found=order)
    if type(shape) is not tuple or not all(type(n) is int and 0 <= n <= _EXTENT_MOST for n in shape):
        raise Malformed("not an array: the shape is no tuple of extents", item, source=source, found=shape)
    if len(shape) > _DIMENSIONS:
        what = "not an array that is read: too many dimensions"
        raise LimitExceeded(what, item, source=source, expected=f"at most {_DIMENSIONS}", found=len(shape))
    try:
        return Header(np.dtype(descr), order, shape, start)
    except TypeError:  # numbers of 16 bytes, which this computer has not
        raise Unsupported(
            "not an array of numbers that numpy has here", item, source=source, found=descr
        ) from None


def _literal(header: bytes, encoding: str) -> object:
    """Return what the header's text stands for, or None where it stands for nothing."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of escapes that Python will not have for long
            return ast.literal_eval(_LONG.sub("", header.decode(encoding).strip(_SPACES)))
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return None
