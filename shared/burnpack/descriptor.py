"""The descriptor of one tensor in Burnpack's metadata, in every form that Burn ever wrote.

{"dtype": dtype, "shape": [extents], "data_offsets": [start, end], "param_id": id or absent}

dtype    text, or {"Bool": store}, or {"QFloat": scheme}; Burn 0.20 and before write "Bool"
"""

from burnpack.checks import RANK_MOST
from burnpack.compat import const
from burnpack.errors import Unsupported

if False:  # for type checkers
    from typing import Any

    from burnpack.cbor import Cursor
    from burnpack.types import Dtype, Shape


FLOATS: tuple[str, ...] = ("F64", "F32", "Flex32", "F16", "BF16")
INTEGERS: tuple[str, ...] = ("I64", "I32", "I16", "I8", "U64", "U32", "U16", "U8")
# The store of a Bool, as Burn names it: the dtype, as we do.
BOOLS: dict[str, str] = {"Native": "Bool", "U8": "Bool(U8)", "U32": "Bool(U32)"}

# The form a dtype is written in: which release it comes from.
TODAY = const(0)
BARE_BOOL = const(1)
OLD_SCHEME = const(2)


def parse_descriptor(cursor: "Cursor") -> "tuple[Dtype, Shape, int, int, int | None, int]":
    """Read a descriptor; return (dtype, shape, start, end, param_id, form of its dtype).

    `start` and `end` count from the start of the data section; neither they nor the shape are
    compared with anything yet.
    """
    dtype = shape = offsets = param_id = None
    form = TODAY
    start = cursor.at
    for key in cursor.keys():
        if key == b"dtype":
            dtype, form = parse_dtype(cursor)
        elif key == b"shape":
            shape = _unsigned_list(cursor, RANK_MOST)
        elif key == b"data_offsets":
            offsets = _unsigned_list(cursor, 2)
        elif key == b"param_id":
            param_id = None if cursor.null() else cursor.unsigned()
        else:
            cursor.skip()
    if dtype is None or shape is None or offsets is None:
        missing = "dtype" if dtype is None else "shape" if shape is None else "data_offsets"
        raise cursor.wrong("the descriptor has no %s" % missing, None, None, start)
    if len(offsets) != 2 or offsets[0] > offsets[1]:
        raise cursor.wrong("impossible data_offsets", "[start, end]", list(offsets), start)
    return dtype, shape, offsets[0], offsets[1], param_id, form


def parse_dtype(cursor: "Cursor") -> "tuple[Dtype, int]":
    """Read a dtype; return it as `burnpack.dtype` has it, and its form."""
    start = cursor.at
    if cursor.is_text():
        name = cursor.text()
        if name == "Bool":
            return name, BARE_BOOL
        if name not in FLOATS and name not in INTEGERS:
            raise Unsupported("unknown dtype", cursor.item, None, cursor.base + start, None, name)
        return name, TODAY
    found = None
    for key in cursor.keys():
        if found is not None:
            raise cursor.wrong("a dtype of more than one entry", None, None, start)
        found = _parse_variant(cursor, key, start)
    if found is None:
        raise cursor.wrong("an empty dtype", None, None, start)
    return found


def _parse_variant(cursor: "Cursor", key: bytes, start: int) -> "tuple[Dtype, int]":
    if key == b"QFloat":
        from burnpack.scheme import parse_scheme  # only quantized files pay for it

        return parse_scheme(cursor)
    store = cursor.text() if key == b"Bool" else None
    if store not in BOOLS:
        found = key if store is None else store
        raise Unsupported("unknown dtype", cursor.item, None, cursor.base + start, None, found)
    return BOOLS[store], TODAY


def _unsigned_list(cursor: "Cursor", most: int) -> tuple[int, ...]:
    start = cursor.at
    numbers: list[int] = []
    for _ in cursor.items():
        if len(numbers) == most:
            raise cursor.wrong("too many numbers in a list", "at most %d" % most, None, start)
        numbers.append(cursor.unsigned())
    return tuple(numbers)


def dtype_value(dtype: "Dtype") -> "str | list[tuple[str, Any]]":
    """Return a dtype as today's Burn writes it; raises `Unsupported` for what it does not write.

    A map is returned as a list of (key, value) pairs, in the order in which Burn writes its keys.
    """
    if not isinstance(dtype, str):
        from burnpack.scheme import scheme_value

        return [("QFloat", scheme_value(dtype))]
    if dtype in FLOATS or dtype in INTEGERS:
        return dtype
    for store, name in BOOLS.items():
        if name == dtype:
            return [("Bool", store)]
    raise Unsupported("Burnpack has no dtype %s" % dtype)
