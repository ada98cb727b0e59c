"""The element types of tensors.

A dtype is a plain string, spelt as Burn spells it ("F32", "BF16", "U8"), and for the kinds that only
SafeTensors or PyTorch have, as they spell it ("F8_E4M3", "C64"). Burn's three stores of a Bool are
"Bool" (native, one byte), "Bool(U8)" and "Bool(U32)". A quantized dtype is a `QFloat`.
"""

if False:  # for type checkers
    from collections.abc import Iterable, Sequence

    from burnpack.types import Dtype, DtypeRow


FLOAT = "float"
INT = "int"
BOOL = "bool"
COMPLEX = "complex"
OPAQUE = "opaque"  # bits that are listed and copied, and have no arithmetic here

# name, bits of an element, kind, code for struct and array (None: neither has one)
ROWS: "tuple[DtypeRow, ...]" = (
    ("F64", 64, FLOAT, "d"),
    ("F32", 32, FLOAT, "f"),
    ("Flex32", 32, FLOAT, "f"),
    ("F16", 16, FLOAT, None),
    ("BF16", 16, FLOAT, None),
    ("I64", 64, INT, "q"),
    ("I32", 32, INT, "i"),
    ("I16", 16, INT, "h"),
    ("I8", 8, INT, "b"),
    ("U64", 64, INT, "Q"),
    ("U32", 32, INT, "I"),
    ("U16", 16, INT, "H"),
    ("U8", 8, INT, "B"),
    ("Bool", 8, BOOL, "B"),
    ("Bool(U8)", 8, BOOL, "B"),
    ("Bool(U32)", 32, BOOL, "I"),
    ("F8_E5M2", 8, FLOAT, None),
    ("F8_E4M3", 8, FLOAT, None),
    ("F8_E5M2FNUZ", 8, FLOAT, None),
    ("F8_E4M3FNUZ", 8, FLOAT, None),
    ("F8_E8M0", 8, FLOAT, None),
    ("F6_E2M3", 6, FLOAT, None),
    ("F6_E3M2", 6, FLOAT, None),
    ("F4", 4, FLOAT, None),
    ("C32", 32, COMPLEX, None),
    ("C64", 64, COMPLEX, None),
    ("C128", 128, COMPLEX, None),
    ("Bits8", 8, OPAQUE, None),
    ("Bits16", 16, OPAQUE, None),
)


def row(dtype: "Dtype") -> "DtypeRow | None":
    """Return the row of `ROWS` whose name is `dtype`, or None."""
    for candidate in ROWS:
        if candidate[0] == dtype:
            return candidate
    return None


def kind(dtype: "Dtype") -> str:
    """Return what the elements are: "float", "int", "bool", "complex" or "opaque"."""
    found = row(dtype)
    return found[2] if found else FLOAT  # what has no row is a QFloat


def nbytes(dtype: "Dtype", shape: "Sequence[int]") -> int | None:
    """Return the bytes that a tensor of this dtype and shape takes, or None for an unknown dtype.

    They are rounded up to whole ones.
    """
    if not isinstance(dtype, str):
        return dtype.nbytes(shape)
    found = row(dtype)
    return (count(shape) * found[1] + 7) // 8 if found else None


def count(shape: "Iterable[int]") -> int:
    """Return the number of elements: the product of the extents, 1 for a scalar's `()`."""
    product = 1
    for extent in shape:
        product *= extent
    return product
