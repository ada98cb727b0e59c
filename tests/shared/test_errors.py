"""Errors: one family, and a text that says which, what and where."""

from burnpack import errors
from burnpack.errors import BurnpackError, Malformed, Truncated, printable

FAMILY = (
    "Truncated Malformed UnknownFormat Unsupported LimitExceeded DuplicateName NotFound InvalidTensor "
    "LoadFailed SaveFailed"
).split()


def test_all_are_of_one_family_and_none_is_of_another():
    for name in FAMILY:
        error = getattr(errors, name)("what")
        assert isinstance(error, BurnpackError) and not isinstance(error, ValueError), name
        assert [other for other in FAMILY if isinstance(error, getattr(errors, other))] == [name]


def test_the_text_says_as_much_as_is_known():
    for given, text in (
        (("it broke",), "it broke"),
        (("it broke", "w"), "w: it broke"),
        (("it broke", "w", "a.bpk"), "a.bpk: w: it broke"),
        (("it broke", None, "a.bpk"), "a.bpk: it broke"),
        (("it broke", "", "a.bpk"), "a.bpk: : it broke"),
        (("it broke", None, None, 0), "it broke (at byte 0)"),
        (("it broke", None, None, None, 0, 0), "it broke (expected 0, found 0)"),
        (("it broke", "w", "a", 7, (1, 2), b"x"), "a: w: it broke (expected (1, 2), found b'x', at byte 7)"),
        (("it broke", 5), "5: it broke"),
        (("it broke", None), "it broke"),
    ):
        assert str(Malformed(*given)) == text, given


def test_an_error_is_told_once_where_it_happened():
    error = Truncated("it broke", "w", None, 7, 1, 2)
    placed = error.within("a.bpk")
    assert str(placed) == "a.bpk: w: it broke (expected 1, found 2, at byte 7)" and type(placed) is Truncated
    assert (placed.what, placed.item, placed.source, placed.offset) == ("it broke", "w", "a.bpk", 7)
    assert placed.within("b.bpk") is placed and error.within(None) is error


def test_an_error_is_told_what_it_is_about():
    error = Truncated("it broke", None, "a.bpk", 7, 1, 2)
    named = error.about("w", error.source)
    assert str(named) == "a.bpk: w: it broke (expected 1, found 2, at byte 7)" and type(named) is Truncated
    assert str(error.about("w", None)) == "w: it broke (expected 1, found 2, at byte 7)"
    assert error.item is None


def test_what_is_printed_stays_on_its_line_and_within_bounds():
    for text, shown in (
        ("plain é 重 🔥", "plain é 重 🔥"),
        ("", ""),
        ("a\nb\rc\td", "a\\x0ab\\x0dc\\x09d"),
        ("\x1b[31m", "\\x1b[31m"),
        ("\x00\x7f\x80\x9f\xa0", "\\x00\\x7f\\x80\\x9f\xa0"),
        ("\u2027\u2028\u202e\u202f", "\u2027\\u2028\\u202e\u202f"),
        ("a\u200eb\u2066c\u2069\u061c", "a\\u200eb\\u2066c\\u2069\\u061c"),
        ("\ufeffw\u200bw\xad\u2060", "\\ufeffw\\u200bw\\xad\\u2060"),
        ("\U000e0041\U0001f525", "\\U000e0041\U0001f525"),
        ("\u200a\u2010\ufffd", "\u200a\u2010\ufffd"),
        (chr(0xD800) + chr(0xDFFF), "\\ud800\\udfff"),
        ("x" * 200, "x" * 200),
        ("x" * 201, "x" * 199 + "…"),
    ):
        assert printable(text) == shown, text


HOSTILE = "\x1b[2J\x9b\r\u202e\u2066\u2028" + chr(0xDC80)


def test_no_field_of_an_error_is_printed_raw():
    for number in range(6):
        given = ["what", "item", "source", 1, "expected", "found"]
        if number != 3:
            given[number] = HOSTILE + "\n"
            for kind in FAMILY:
                text = str(getattr(errors, kind)(*given))
                letters = [letter for letter in text if not " " <= letter <= "~"]
                assert letters == (["\n"] if kind == "LoadFailed" and number == 0 else []), (kind, number)


def test_an_errors_fields_are_kept_as_they_were_given():
    error = Malformed(HOSTILE, HOSTILE, HOSTILE)
    assert error.what == error.item == error.source == HOSTILE


def test_an_error_is_no_longer_than_what_a_person_reads():
    assert len(str(Malformed(*["x" * 100_000] * 3, None, *["x" * 100_000] * 2))) < 3000
