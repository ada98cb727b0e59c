"""CBOR, read and written: the two against each other, and each against examples of RFC 8949, appendix A."""

import math

from burnpack import cbor_encode as encode
from burnpack.cbor import Cursor
from burnpack.errors import DuplicateName, LimitExceeded, Malformed, Truncated
from kit import support

INTEGERS = (
    (0, "00"),
    (1, "01"),
    (10, "0a"),
    (23, "17"),
    (24, "1818"),
    (25, "1819"),
    (100, "1864"),
    (1000, "1903e8"),
    (1000000, "1a000f4240"),
    (1000000000000, "1b000000e8d4a51000"),
    (18446744073709551615, "1bffffffffffffffff"),
    (-18446744073709551616, "3bffffffffffffffff"),
    (-1, "20"),
    (-10, "29"),
    (-100, "3863"),
    (-1000, "3903e7"),
)
FLOATS = (
    (0.0, "f90000"),
    (-0.0, "f98000"),
    (1.0, "f93c00"),
    (1.1, "fb3ff199999999999a"),
    (1.5, "f93e00"),
    (65504.0, "f97bff"),
    (100000.0, "fa47c35000"),
    (3.4028234663852886e38, "fa7f7fffff"),
    (1.0e300, "fb7e37e43c8800759c"),
    (5.960464477539063e-8, "f90001"),
    (0.00006103515625, "f90400"),
    (-4.0, "f9c400"),
    (-4.1, "fbc010666666666666"),
    (float("inf"), "f97c00"),
    (float("-inf"), "f9fc00"),
    (65505.0, "fa477fe100"),
    (2.0**-25, "fa33000000"),
    (5e-324, "fb0000000000000001"),
    (3.4028235677973366e38, "fb47effffff0000000"),
)
# Other spellings of floats, which a reader takes as well.
LONGER_FLOATS = (
    (float("inf"), "fa7f800000"),
    (float("-inf"), "faff800000"),
    (float("inf"), "fb7ff0000000000000"),
    (float("-inf"), "fbfff0000000000000"),
    (1.0, "fa3f800000"),
    (1.0, "fb3ff0000000000000"),
)
NANS = (  # as they are read; as they are written
    ("f97e00", "f97e00"),
    ("f97c01", "f97e01"),
    ("f9fe00", "f9fe00"),
    ("f97fff", "f97fff"),
    ("fa7fc00000", "f97e00"),
    ("faffc00000", "f9fe00"),
    ("fa7fc00001", "fa7fc00001"),
    ("faffffffff", "faffffffff"),
    ("fb7ff8000000000000", "f97e00"),
    ("fbfff8040000000000", "f9fe01"),
    ("fb7ff8000020000000", "fa7fc00001"),
    ("fb7ff8000000000001", "fb7ff8000000000001"),
    ("fbffffffffffffffff", "fbffffffffffffffff"),
)
TEXTS = (
    ("", "60"),
    ("a", "6161"),
    ("IETF", "6449455446"),
    ('"\\', "62225c"),
    ("\u00fc", "62c3bc"),
    ("\u6c34", "63e6b0b4"),
    ("\U00010151", "64f0908591"),
    ("a" * 24, "7818" + "61" * 24),
    ("a" * 300, "79012c" + "61" * 300),
)
# Whole items, all of which are passed over: examples of the appendix that nothing here reads otherwise.
SKIPPED = (
    "f4 f5 f6 f7 f0 f8ff c074323031332d30332d32315432303a30343a30305a c11a514b67b0 "
    "c1fb41d452d9ec200000 "
    "d74401020304 d818456449455446 d82076687474703a2f2f7777772e6578616d706c652e636f6d 40 4401020304 "
    "80 83010203 8301820203820405 98190102030405060708090a0b0c0d0e0f101112131415161718181819 a0 a201020304 "
    "a26161016162820203 826161a161626163 "
    "a56161614161626142616361436164614461656145 5f42010243030405ff "
    "7f657374726561646d696e67ff 9fff 9f018202039f0405ffff 9f01820203820405ff 83018202039f0405ff "
    "83019f0203ff820405 bf61610161629f0203ffff 826161bf61626163ff bf6346756ef563416d7421ff "
    "c249010000000000000000"
).split()


def octets(digits):
    return bytes([int(digits[at : at + 2], 16) for at in range(0, len(digits), 2)])


def at_end(cursor):
    return cursor.at == len(cursor.view)


def test_integers_are_read_and_written_as_the_rfc_has_them():
    for value, digits in INTEGERS:
        assert encode.integer(value) == octets(digits), value
        cursor = Cursor(octets(digits))
        assert cursor.integer() == value and at_end(cursor)
        if value >= 0:
            assert encode.unsigned(value) == octets(digits)
            assert Cursor(octets(digits)).unsigned() == value
        else:
            support.raises(Malformed, Cursor(octets(digits)).unsigned)


def test_integers_around_every_width_come_back_in_the_shortest_form():
    for bits, size in ((5, 1), (8, 2), (16, 3), (32, 5), (64, 9)):
        most = 23 if bits == 5 else (1 << bits) - 1
        for value in (most, most - 1, -1 - most, -most):
            encoded = encode.integer(value)
            assert len(encoded) == size, value
            assert Cursor(encoded).integer() == value
        if bits < 64:
            assert (
                len(encode.integer(most + 1)) > size
                and Cursor(encode.integer(most + 1)).integer() == most + 1
            )


def test_what_does_not_fit_64_bits_is_not_written():
    for value in (1 << 64, -(1 << 64) - 1):
        support.raises(ValueError, encode.integer, value)


def test_floats_are_read_and_written_as_the_rfc_has_them():
    for value, digits in FLOATS:
        assert encode.floating(value) == octets(digits), value
    for value, digits in FLOATS + LONGER_FLOATS:
        cursor = Cursor(octets(digits))
        found = cursor.float()
        assert found == value and math.copysign(1, found) == math.copysign(1, value), digits
        assert at_end(cursor)


def test_a_nan_keeps_its_sign_and_fraction_in_the_shortest_form():
    for digits, written in NANS:
        found = Cursor(octets(digits)).float()
        assert found != found
        assert encode.floating(found) == octets(written), digits
    assert encode.floating(float("nan")) == octets("f97e00")


def test_texts_are_read_and_written_as_the_rfc_has_them():
    for value, digits in TEXTS:
        assert encode.text(value) == octets(digits)
        cursor = Cursor(octets(digits))
        assert cursor.is_text() and cursor.text() == value and at_end(cursor)
        assert Cursor(octets(digits)).encoded_text() == value.encode()


def test_a_text_in_chunks_is_one_text():
    for digits, value in (
        ("7f657374726561646d696e67ff", "streaming"),
        ("7f6060ff", ""),
        ("7fff", ""),
        ("7f780161626263ff", "abc"),
    ):
        cursor = Cursor(octets(digits))
        assert cursor.is_text() and cursor.text() == value and at_end(cursor)
    for digits in ("7f", "7f6161", "7f6261"):
        support.raises(Truncated, Cursor(octets(digits)).text)


def test_truths_and_null_are_told_apart_from_all_else():
    assert encode.boolean(True) == b"\xf5" and encode.boolean(False) == b"\xf4" and encode.null() == b"\xf6"
    assert Cursor(b"\xf5").boolean() is True and Cursor(b"\xf4").boolean() is False
    for other in (b"\x00", b"\x01", b"\xf6", b"\xf7", b"\xf8\x14", b"\x60", b"\xf9\x00\x00"):
        support.raises(Malformed, Cursor(other).boolean)
    assert Cursor(b"\xf6").null() and not Cursor(b"\xf7").null() and not Cursor(b"").null()


def test_an_item_of_another_kind_is_refused_with_both_kinds():
    kinds = (
        (b"\x00", "an unsigned integer"),
        (b"\x20", "a negative integer"),
        (b"\x41\x00", "bytes"),
        (b"\x61a", "text"),
        (b"\x80", "an array"),
        (b"\xa0", "a map"),
        (b"\xc0\x00", "a tag"),
        (b"\xf6", "a simple value"),
    )
    reads = (
        (lambda cursor: cursor.unsigned(), "an unsigned integer"),
        (lambda cursor: cursor.text(), "text"),
        (lambda cursor: list(cursor.items()), "an array"),
        (lambda cursor: list(cursor.keys()), "a map"),
    )
    for read, expected in reads:
        for item, found in kinds:
            if found != expected:
                error = support.raises(Malformed, read, Cursor(item))
                assert "expected %s, found %s, at byte 0" % (expected, found) in str(error)


def test_every_example_of_the_rfc_is_passed_over_exactly():
    for digits in SKIPPED:
        cursor = Cursor(octets(digits) + b"\x18")
        cursor.skip()
        assert cursor.at == len(digits) // 2, digits


def test_every_prefix_of_an_example_is_truncated():
    for digits in SKIPPED + [row[1] for row in TEXTS + INTEGERS + FLOATS]:
        item = octets(digits)
        for length in range(len(item)):
            support.raises(Truncated, Cursor(item[:length]).skip)


def test_an_array_is_entered_and_its_items_read_by_the_caller():
    for digits in ("83010203", "9f010203ff", "9b0000000000000003010203"):
        cursor = Cursor(octets(digits))
        assert [cursor.unsigned() for _ in cursor.items()] == [1, 2, 3] and at_end(cursor)
    for digits in ("80", "9fff"):
        cursor = Cursor(octets(digits))
        assert list(cursor.items()) == [] and at_end(cursor)


def test_a_map_is_entered_and_its_values_read_by_the_caller():
    for digits in ("a2616101616202", "bf616101616202ff"):
        cursor = Cursor(octets(digits))
        assert [(key, cursor.unsigned()) for key in cursor.keys()] == [(b"a", 1), (b"b", 2)] and at_end(
            cursor
        )


def test_a_key_is_noticed_when_it_comes_again_wherever_that_is():
    def pairs(cursor):
        return [(key, cursor.unsigned()) for key in cursor.keys()]

    for keys in ("aa", "aba", "baa", "abca", "cbac", "abcdd", "badcb"):
        item = encode.mapping([(encode.text(key), encode.unsigned(7)) for key in keys])
        error = support.raises(DuplicateName, pairs, Cursor(item, 0, 100))
        again = [at for at, key in enumerate(keys) if key in keys[:at]]
        assert error.offset == 100 + 1 + 3 * again[0], keys
    for keys in ("a", "ab", "ba", "cab", "badce"):
        item = encode.mapping([(encode.text(key), encode.unsigned(7)) for key in keys])
        assert [str(key, "utf-8") for key, _ in pairs(Cursor(item))] == list(keys)


def test_nesting_is_counted_without_recursion():
    deep = b"\x81" * 100000 + b"\x00"
    support.raises(LimitExceeded, Cursor(deep, depth=1000).skip)
    for depth in (1, 5, 100):
        Cursor(b"\x81" * (depth - 1) + b"\x00", depth=depth).skip()
        support.raises(LimitExceeded, Cursor(b"\x81" * depth + b"\x00", depth=depth).skip)


def test_a_count_is_compared_with_the_bytes_that_are_left():
    for count in ("1a00010000", "1b0000000100000000", "1b7fffffffffffffff", "1bffffffffffffffff"):
        for major in (2, 3, 4, 5):
            head = octets(count)
            item = bytes((head[0] | major << 5,)) + head[1:] + bytes(100)
            support.raises(Truncated, Cursor(item).skip)
            if major == 3:
                support.raises(Truncated, Cursor(item).text)
            if major == 4:
                support.raises(Truncated, list, Cursor(item).items())
            if major == 5:
                support.raises(Truncated, list, Cursor(item).keys())


def test_values_are_written_as_a_tree_of_lists():
    for value, digits in (
        (None, "f6"),
        ("a", "6161"),
        (5, "05"),
        (-5, "24"),
        ([], "80"),
        ([1, [2, "b"]], "820182026162"),
        ([("a", 1), ("b", [])], "a2616101616280"),
        ([("a", [("b", None)])], "a16161a16162f6"),
    ):
        assert encode.value(value) == octets(digits), value


def test_errors_say_where_in_the_file_and_in_which_item():
    cursor = Cursor(b"\x00\x61", 1, 1000)
    cursor.item = "conv.weight"
    error = support.raises(Truncated, cursor.text)
    assert str(error) == "conv.weight: the metadata is cut short (expected 1, found 0, at byte 1002)"
