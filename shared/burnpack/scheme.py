"""A quantization scheme in Burnpack's metadata.

today           {"value", "store", "mode", "tensor", "block"}, absent levels written as null
Burn 0.19-0.21  {"value", "param", "store", "level", "mode"}: `param` is the scale dtype, `level`
                is "Tensor" or {"Block": block size}

store           "Native", {"PackedNative": d} or {"PackedU32": d}; Burn 0.19 writes "U32" for
                {"PackedU32": 0}
block           null or {"size": block size, "dtype": scale dtype}
block size      {"storage": [5 bytes, unused ones 1], "len": n}
"""

from burnpack.descriptor import OLD_SCHEME, TODAY
from burnpack.qfloat import BLOCK_MOST, BLOCK_RANK, MODES, NATIVE, PACKED, SCALES, VALUES, QFloat

if False:  # for type checkers
    from collections.abc import Iterable
    from typing import Any

    from burnpack.cbor import Cursor
    from burnpack.types import QBlock, QStore


_PACKED_DIMENSION_MOST = 255


def parse_scheme(cursor: "Cursor") -> "tuple[QFloat, int]":
    """Read a scheme in either form; return the `QFloat` and its form."""
    start = cursor.at
    found = {}
    for key in cursor.keys():
        parse = _FIELDS.get(key)
        if parse is None:
            cursor.skip()
        else:
            found[key] = parse(cursor)
    old = b"level" in found or b"param" in found
    if old and (b"block" in found or b"tensor" in found):
        raise cursor.wrong("a scheme in two forms at once", None, None, start)
    for key in (b"value", b"param", b"store", b"level", b"mode") if old else (b"value", b"store", b"mode"):
        if key not in found:
            raise cursor.wrong("the scheme has no %s" % str(key, "utf-8"), None, None, start)
    return _from_old(found) if old else _from_today(found), OLD_SCHEME if old else TODAY


def _from_today(found: "dict[bytes, Any]") -> "QFloat":
    return QFloat(found[b"value"], found[b"store"], found[b"mode"], found.get(b"tensor"), found.get(b"block"))


def _from_old(found: "dict[bytes, Any]") -> "QFloat":
    scale, size = found[b"param"], found[b"level"]
    block = None if size is None else (size, scale)
    # One F32 scale is what today's form means by no level at all.
    tensor = None if block or scale == "F32" else scale
    return QFloat(found[b"value"], found[b"store"], found[b"mode"], tensor, block)


def _one_of(cursor: "Cursor", names: "Iterable[str]") -> str:
    start = cursor.at
    name = cursor.text()
    if name not in names:
        raise cursor.wrong("unknown name in a quantization scheme", None, name, start)
    return name


def _value(cursor: "Cursor") -> str:
    return _one_of(cursor, VALUES)


def _mode(cursor: "Cursor") -> str:
    return _one_of(cursor, MODES)


def _scale(cursor: "Cursor") -> str:
    return _one_of(cursor, SCALES)


def _scale_or_null(cursor: "Cursor") -> str | None:
    return None if cursor.null() else _scale(cursor)


def _store(cursor: "Cursor") -> "QStore":
    if cursor.is_text():
        return NATIVE if _one_of(cursor, (NATIVE, "U32")) == NATIVE else (PACKED[1], 0)
    start = cursor.at
    store = None
    for key in cursor.keys():
        name = str(key, "utf-8") if key in (b"PackedNative", b"PackedU32") else None
        if name is None or store is not None:
            raise cursor.wrong("unknown store in a quantization scheme", None, None, start)
        store = (name, _number(cursor, _PACKED_DIMENSION_MOST))
    if store is None:
        raise cursor.wrong("an empty store in a quantization scheme", None, None, start)
    return store


def _level(cursor: "Cursor") -> tuple[int, ...] | None:
    if cursor.is_text():
        _one_of(cursor, ("Tensor",))
        return None
    start = cursor.at
    size = None
    for key in cursor.keys():
        if key != b"Block" or size is not None:
            raise cursor.wrong("unknown level in a quantization scheme", None, None, start)
        size = _block_size(cursor)
    if size is None:
        raise cursor.wrong("an empty level in a quantization scheme", None, None, start)
    return size


def _block(cursor: "Cursor") -> "QBlock | None":
    if cursor.null():
        return None
    start = cursor.at
    size = scale = None
    for key in cursor.keys():
        if key == b"size":
            size = _block_size(cursor)
        elif key == b"dtype":
            scale = _scale(cursor)
        else:
            cursor.skip()
    if size is None or scale is None:
        raise cursor.wrong("a block without its size or dtype", None, None, start)
    return size, scale


def _block_size(cursor: "Cursor") -> tuple[int, ...]:
    """Read a block size; return the extents in use, outermost first. A block of one element has none."""
    start = cursor.at
    storage = length = None
    for key in cursor.keys():
        if key == b"storage":
            storage = [_number(cursor, BLOCK_MOST) for _ in cursor.items()]
        elif key == b"len":
            length = _number(cursor, BLOCK_RANK)
        else:
            cursor.skip()
    if storage is None or len(storage) != BLOCK_RANK or length is None or 0 in storage[:length]:
        raise cursor.wrong("impossible block size", None, storage, start)
    return tuple(storage[:length])


def _number(cursor: "Cursor", most: int) -> int:
    start = cursor.at
    number = cursor.unsigned()
    if number > most:
        raise cursor.wrong("number too large in a quantization scheme", "at most %d" % most, number, start)
    return number


_FIELDS = {
    b"value": _value,
    b"store": _store,
    b"mode": _mode,
    b"tensor": _scale_or_null,
    b"block": _block,
    b"param": _scale,
    b"level": _level,
}


def scheme_value(scheme: "QFloat") -> "list[tuple[str, Any]]":
    """Return a scheme as today's Burn writes it; maps are lists of (key, value) pairs, in its order."""
    store = scheme.store if scheme.store == NATIVE else [scheme.store]
    block = None
    if scheme.block:
        extents, scale = scheme.block
        storage = list(extents) + [1] * (BLOCK_RANK - len(extents))
        block = [("size", [("storage", storage), ("len", len(extents))]), ("dtype", scale)]
    return [
        ("value", scheme.value),
        ("store", store),
        ("mode", scheme.mode),
        ("tensor", scheme.tensor),
        ("block", block),
    ]
