"""CBOR (RFC 8949) as Burnpack's metadata is written: shortest heads, definite lengths. See `cbor`."""

import struct

from burnpack import half, utf8
from burnpack.compat import const

if False:  # for type checkers
    from collections.abc import Sequence
    from typing import Any


_UNSIGNED = const(0)
_NEGATIVE = const(1)
_TEXT = const(3)
_ARRAY = const(4)
_MAP = const(5)
_SIMPLE = const(7)
_FALSE = const(20)
_TRUE = const(21)
_NULL = const(22)
# Of a double that is no number: the bits of its fraction, and the one of them that says it is a quiet one.
_FRACTION = (1 << 52) - 1
_QUIET = 1 << 51


def _head(major: int, argument: int) -> bytes:
    """Return the shortest head of an item of type `major`."""
    if argument < 24:
        return bytes((major << 5 | argument,))
    for information, width in ((24, 1), (25, 2), (26, 4), (27, 8)):
        if argument >> (8 * width) == 0:
            return bytes((major << 5 | information,)) + argument.to_bytes(width, "big")
    raise ValueError("over 64 bits")


def unsigned(value: int) -> bytes:
    """Return an unsigned integer below 2**64 as CBOR."""
    return _head(_UNSIGNED, value)


def integer(value: int) -> bytes:
    """Return an integer from -2**64 to 2**64 - 1 as CBOR."""
    return _head(_UNSIGNED, value) if value >= 0 else _head(_NEGATIVE, -1 - value)


def text(value: str) -> bytes:
    """Return a text as CBOR; raises `ValueError` for a lone surrogate."""
    return utf8_text(utf8.encode(value))


def utf8_text(encoded: bytes) -> bytes:
    """Return the text of these UTF-8 bytes as CBOR."""
    return _head(_TEXT, len(encoded)) + encoded


def array(items: "Sequence[bytes]") -> bytes:
    """Return a list of encoded items as one array."""
    return _head(_ARRAY, len(items)) + b"".join(items)


def mapping(pairs: "Sequence[tuple[bytes, bytes]]") -> bytes:
    """Return encoded (key, value) pairs as one map, in the order given."""
    return _head(_MAP, len(pairs)) + b"".join([key + value for key, value in pairs])


def boolean(value: object) -> bytes:
    """Return a boolean as CBOR."""
    return bytes((_SIMPLE << 5 | (_TRUE if value else _FALSE),))


def null() -> bytes:
    """Return null as CBOR."""
    return bytes((_SIMPLE << 5 | _NULL,))


def floating(value: float) -> bytes:
    """Return a float as CBOR, in the shortest of half, single and double that holds it exactly."""
    if value != value:
        return _nan(int.from_bytes(struct.pack(">d", value), "big"))
    code = half.encode_f16(value)
    if half.decode_f16(code) == value:
        return b"\xf9" + code.to_bytes(2, "big")
    single = _as_single(value)
    return b"\xfb" + struct.pack(">d", value) if single is None else b"\xfa" + single


def _nan(bits: int) -> bytes:
    """Return the NaN of these 64 bits in the shortest form that keeps sign and fraction, as Burn does."""
    fraction = bits & _FRACTION
    if not bits & _QUIET or fraction & 0x1FFFFFFF:
        return b"\xfb" + bits.to_bytes(8, "big")
    if fraction & 0x3FFFFFFFFFF:
        return b"\xfa" + (bits >> 32 & 0x80000000 | 0x7F800000 | fraction >> 29).to_bytes(4, "big")
    return b"\xf9" + (bits >> 48 & 0x8000 | 0x7C00 | fraction >> 42).to_bytes(2, "big")


def _as_single(value: float) -> bytes | None:
    try:
        packed = struct.pack(">f", value)
    except OverflowError:
        return None
    return packed if struct.unpack(">f", packed)[0] == value else None


def value(item: "str | int | list[Any] | None") -> bytes:
    """Return a text, an integer, None or a list of these as CBOR; a list of pairs is a map."""
    if item is None:
        return null()
    if isinstance(item, str):
        return text(item)
    if not isinstance(item, list):
        return integer(item)
    if item and isinstance(item[0], tuple):
        return mapping([(text(key), value(content)) for key, content in item])
    return array([value(content) for content in item])
