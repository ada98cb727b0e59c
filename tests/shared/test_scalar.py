"""Scalars: which Python value is which of Burn's kinds, and how each is written."""

import math

from burnpack.cbor import Cursor
from burnpack.errors import Malformed
from burnpack.reader import Reader
from burnpack.scalar import as_scalar, parse_scalar
from burnpack.writer import Writer
from kit import support
from kit.formats.cbor_by_hand import FALSE, TRUE, mapping, negative, opened_mapping, unsigned

INT_LEAST, INT_MOST, UINT_MOST = -(1 << 63), (1 << 63) - 1, (1 << 64) - 1

READ = (
    (mapping(("Int", unsigned(0))), ("Int", 0)),
    (mapping(("Int", negative(-1))), ("Int", -1)),
    (mapping(("Int", unsigned(INT_MOST))), ("Int", INT_MOST)),
    (mapping(("Int", negative(INT_LEAST))), ("Int", INT_LEAST)),
    (mapping(("Int", unsigned(1, 8))), ("Int", 1)),
    (mapping(("UInt", unsigned(UINT_MOST))), ("UInt", UINT_MOST)),
    (mapping(("Bool", TRUE)), ("Bool", True)),
    (mapping(("Bool", FALSE)), ("Bool", False)),
    (mapping(("Float", b"\xf9\x3c\x00")), ("Float", 1.0)),
    (mapping(("Float", b"\xfa\x3f\x80\x00\x00")), ("Float", 1.0)),
    (mapping(("Float", b"\xfb\x3f\xf0" + bytes(6))), ("Float", 1.0)),
    (opened_mapping(("Int", unsigned(5))), ("Int", 5)),
)


def test_a_scalar_is_read_with_its_kind():
    for item, (kind, value) in READ:
        cursor = Cursor(item)
        found = parse_scalar(cursor)
        assert found == (kind, value) and type(found[1]) is type(value)
        assert cursor.at == len(item)


def test_a_plain_value_has_one_kind():
    for value, kind in (
        (0, "Int"),
        (INT_LEAST, "Int"),
        (INT_MOST, "Int"),
        (INT_MOST + 1, "UInt"),
        (UINT_MOST, "UInt"),
        (0.0, "Float"),
        (float("inf"), "Float"),
        (True, "Bool"),
        (False, "Bool"),
    ):
        found = as_scalar("s", value)
        assert found == (kind, value) and type(found[1]) is type(value)
        assert as_scalar("s", found) == found


def test_a_kind_holds_what_is_in_its_range_only():
    for kind, least, most in (("Int", INT_LEAST, INT_MOST), ("UInt", 0, UINT_MOST)):
        for value in (least, most):
            assert as_scalar("s", (kind, value)) == (kind, value)
        for value in (least - 1, most + 1):
            error = support.raises(Malformed, as_scalar, "lr", (kind, value))
            assert str(error).startswith(
                "lr: not a scalar (expected Int or UInt or Float or Bool, found ('"
            ), str(error)


def test_the_scalars_of_rust_are_all_there():
    scalars = dict(Reader.from_static(support.read(support.data("rust/scalars.bpk"))).scalars())
    assert len(scalars) == 22
    assert scalars["int_min"] == ("Int", INT_LEAST) and scalars["int_max"] == ("Int", INT_MOST)
    assert scalars["uint_max"] == ("UInt", UINT_MOST) and scalars["uint_zero"] == ("UInt", 0)
    assert scalars["float_tiny"] == ("Float", 5e-324) and scalars["float_tenth"] == ("Float", 0.1)
    assert math.copysign(1, scalars["float_negzero"][1]) == -1 and scalars["float_negzero"][1] == 0
    assert scalars["float_nan"][1] != scalars["float_nan"][1]
    assert scalars["bool_true"] == ("Bool", True) and scalars["bool_false"][1] is False


def test_floats_are_written_in_the_shortest_form_that_holds_them():
    for value, size in (
        (1.0, 3),
        (float("nan"), 3),
        (-0.0, 3),
        (65504.0, 3),
        (65505.0, 5),
        (0.1, 9),
        (1e300, 9),
    ):
        data = Writer([], [], [("f", value)]).to_bytes()
        metadata = int.from_bytes(data[6:10], "little")
        assert metadata == len(b"\xa2gtensors\xa0gscalars\xa1af\xa1eFloat") + size, value
