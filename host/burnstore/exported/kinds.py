"""The numbers by which an exported program names dtypes, layouts and memory formats."""

from burnpack.errors import Unsupported
from burnstore.exported.items import Item

# Dtypes, as in `burnpack.dtype`.
SCALAR_TYPES = {
    1: "U8",
    2: "I8",
    3: "I16",
    4: "I32",
    5: "I64",
    6: "F16",
    7: "F32",
    8: "F64",
    9: "C32",
    10: "C64",
    11: "C128",
    12: "Bool",
    13: "BF16",
    28: "U16",
    29: "F8_E4M3",
    30: "F8_E5M2",
    31: "F8_E4M3FNUZ",
    32: "F8_E5M2FNUZ",
    33: "F8_E8M0",
    34: "U32",
    35: "U64",
}
STRIDED = "strided"
LAYOUTS = {
    1: "sparse_coo",
    2: "sparse_csr",
    3: "sparse_csc",
    4: "sparse_bsr",
    5: "sparse_bsc",
    6: "mkldnn",
    7: STRIDED,
}
MEMORY_FORMATS = {1: "contiguous_format", 2: "channels_last", 3: "channels_last_3d", 4: "preserve_format"}


def scalar_type(item: Item) -> str:
    """Return a dtype."""
    return _named(item, SCALAR_TYPES, "a dtype that is not known here")


def layout(item: Item) -> str:
    """Return a layout, as in "strided"."""
    return _named(item, LAYOUTS, "a layout that is not known here")


def memory_format(item: Item) -> str:
    """Return a memory format, as in "channels_last"."""
    return _named(item, MEMORY_FORMATS, "a memory format that is not known here")


def _named(item: Item, table: dict[int, str], what: str) -> str:
    number = item.integer()
    if number not in table:
        raise Unsupported(what, item.place, expected=f"one of {', '.join(map(str, table))}", found=number)
    return table[number]
