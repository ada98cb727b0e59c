"""The scalars of a Burnpack file: {"Int": i}, {"UInt": u}, {"Float": f} or {"Bool": b}.

In Python a scalar is a plain int, float or bool where the kind follows from it, and else a tuple
(kind, value): ("UInt", 12).
"""

from burnpack.errors import Malformed

if False:  # for type checkers
    from typing import Any

    from burnpack.cbor import Cursor
    from burnpack.types import Number, Scalar


KINDS: tuple[str, ...] = ("Int", "UInt", "Float", "Bool")
_INT_LEAST = -(1 << 63)
_INT_MOST = (1 << 63) - 1
_UINT_MOST = (1 << 64) - 1


def parse_scalar(cursor: "Cursor") -> "Scalar":
    """Read a scalar; return (kind, value)."""
    start = cursor.at
    found = None
    for key in cursor.keys():
        if found is not None:
            raise cursor.wrong("a scalar of more than one entry", None, None, start)
        found = _parse_kind(cursor, key, start)
    if found is None:
        raise cursor.wrong("an empty scalar", None, None, start)
    return found


def _parse_kind(cursor: "Cursor", key: bytes, start: int) -> "Scalar":
    if key == b"Float":
        return "Float", cursor.float()
    if key == b"Bool":
        return "Bool", cursor.boolean()
    if key == b"Int" or key == b"UInt":
        kind = str(key, "utf-8")
        value = cursor.integer()
        if not fits(kind, value):
            raise cursor.wrong("a scalar out of range", kind, value, start)
        return kind, value
    raise cursor.wrong("unknown kind of scalar", " or ".join(KINDS), str(key), start)


def fits(kind: str, value: object) -> bool:
    """Return whether `value` is an integer in the range of `kind`, Burn's i64 or u64."""
    if not isinstance(value, int) or value is True or value is False:
        return False
    return _INT_LEAST <= value <= _INT_MOST if kind == "Int" else 0 <= value <= _UINT_MOST


def as_scalar(name: str, value: "Number | Scalar") -> "Scalar":
    """Return a plain value or a (kind, value) as a checked (kind, value).

    A plain int is an Int where that holds it, and else a UInt.
    """
    named = isinstance(value, tuple) and len(value) == 2
    kind: str | None
    content: "Any"
    kind, content = value if named else (_kind_of(value), value)  # type: ignore[misc] # of two, when named
    if kind not in KINDS or not _belongs(kind, content):
        raise Malformed("not a scalar", name, None, None, " or ".join(KINDS), repr(value))
    return kind, content


def _kind_of(value: object) -> str | None:
    if value is True or value is False:
        return "Bool"
    if isinstance(value, int):
        return "Int" if fits("Int", value) else "UInt"
    return "Float" if isinstance(value, float) else None


def _belongs(kind: str, content: object) -> bool:
    if kind == "Bool":
        return content is True or content is False
    return isinstance(content, float) if kind == "Float" else fits(kind, content)
