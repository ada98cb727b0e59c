"""The JSON of a SafeTensors header is read strictly, in the order of the file, on every interpreter."""

from burnpack import json_encode, json_names
from burnpack.errors import BurnpackError, DuplicateName, LimitExceeded, Malformed
from burnpack.json_header import ARRAY, OBJECT, Cursor
from burnpack.json_names import Names
from kit import support

STRINGS = (
    (b'""', ""),
    (b'"a"', "a"),
    (b'  "a"', "a"),
    (b'"' + b"n" * 63 + b'"', "n" * 63),
    (b'"' + b"n" * 64 + b'"', "n" * 64),
    (b'"' + b"n" * 500 + b'"', "n" * 500),
    (b'"\\"\\\\\\/\\b\\f\\n\\r\\t"', '"\\/\b\f\n\r\t'),
    (b'"\\\\"', "\\"),
    (b'"' + b"n" * 80 + b'\\""', "n" * 80 + '"'),
    (b'"\\u0000\\u001f\\u007F\\u00e9\\u20aC"', "\0\x1f\x7f\xe9\u20ac"),
    (b'"\\uD7FF\\uE000\\uffff"', "\ud7ff\ue000\uffff"),
    (b'"\\ud83d\\ude00"', "\U0001f600"),
    (b'"\\uD800\\uDC00\\uDBFF\\uDFFF"', "\U00010000\U0010ffff"),
    (b'"\x7f\xc2\x80\xdf\xbf"', "\x7f\x80\u07ff"),
    (b'"\xe0\xa0\x80\xed\x9f\xbf\xee\x80\x80\xef\xbf\xbf"', "\u0800\ud7ff\ue000\uffff"),
    (b'"\xf0\x90\x80\x80\xf4\x8f\xbf\xbf"', "\U00010000\U0010ffff"),
    (b'"\xe2\x82\xac\\u0020\xe2\x82\xac"', "\u20ac \u20ac"),
)

NO_STRINGS = (
    b"",
    b"a",
    b"'a'",
    b'"',
    b'"a',
    b'"' + b"n" * 200,
    b'"a\\"',
    b'"\\',
    b'"\x00"',
    b'"a\x1f"',
    b'"a\n"',
    b'"' + b"n" * 200 + b'\t"',
    b'"\\a"',
    b'"\\U0041"',
    b'"\\u"',
    b'"\\u123"',
    b'"\\u12 4"',
    b'"\\u+123"',
    b'"\\u12g4"',
    b'"\\ud800"',
    b'"\\udfff"',
    b'"\\ud800a"',
    b'"\\ud800\\n0000"',
    b'"\\ud800\\u0041"',
    b'"\\ud800\\ud800"',
    b'"\\ud800\\u"',
    b'"\\udc00\\ud800"',
    b'"\x80"',
    b'"\xbf"',
    b'"\xc0\x80"',
    b'"\xc1\xbf"',
    b'"\xc2"',
    b'"\xc2a"',
    b'"\xe0\x80\x80"',
    b'"\xe0\x9f\xbf"',
    b'"\xe2\x82"',
    b'"\xed\xa0\x80"',
    b'"\xed\xbf\xbf"',
    b'"\xf0\x80\x80\x80"',
    b'"\xf0\x8f\xbf\xbf"',
    b'"\xf4\x90\x80\x80"',
    b'"\xf5\x80\x80\x80"',
    b'"\xff"',
    b'"\xc3\\u00a9"',
)

NUMBERS = (
    (b"0", 0),
    (b" 7,", 7),
    (b"10]", 10),
    (b"1073741824", 1 << 30),
    (b"4294967296 ", 1 << 32),
    (b"18446744073709551615", (1 << 64) - 1),
)

NO_NUMBERS = (
    b"",
    b"-1",
    b"-0",
    b"+1",
    b"00",
    b"01",
    b"1.0",
    b"1.",
    b"0.0",
    b"1e0",
    b"1E0",
    b".5",
    b"18446744073709551616",
    b"184467440737095516150",
    b"99999999999999999999",
    b"9" * 5000,
    b"true",
    b"null",
    b'"1"',
    b"[1]",
    b"\xd9\xa1",  # a digit, but not of ASCII
)

VALUES = (
    b"0",
    b"-0",
    b"-1",
    b"12.50",
    b"1e5",
    b"1E+5",
    b"0e-0",
    b"-0.5e10",
    b"9" * 100,
    b"true",
    b"false",
    b"null",
    b'"a\\n"',
    b"[]",
    b"{}",
    b"[ ]",
    b"{ }",
    b"[1,[2,[3]],{}]",
    b'{"a":{"b":[{"c":null}]},"d":[[],[]]}',
)

NO_VALUES = (
    b"",
    b"-",
    b"01",
    b"-01",
    b"1.",
    b"1.e5",
    b"1e",
    b"1e+",
    b"tru",
    b"True",
    b"nul",
    b"NaN",
    b"Infinity",
    b"]",
    b"}",
    b",",
    b"[1",
    b"[1,",
    b"[1,]",
    b"[,1]",
    b"[1 2]",
    b"[1}",
    b"{",
    b'{"a"',
    b'{"a":',
    b'{"a":1',
    b'{"a":1,',
    b'{"a":1,}',
    b'{"a" 1}',
    b'{"a":1 "b":2}',
    b"{1:2}",
    b"{a:1}",
    b'{"a":1]',
    b'["a\\q"]',
)


def cursor(json, depth=16):
    return Cursor(memoryview(json), 0, 100, depth)


def test_a_string_is_read_as_written():
    for json, text in STRINGS:
        at = cursor(json + b" ,")
        assert at.string() == text, json
        assert at.at == len(json), json


def test_what_is_no_string_is_refused():
    for json in NO_STRINGS:
        assert support.raises(Malformed, cursor(json + b" ,").string).offset >= 100, json


def test_an_unsigned_number_is_read_as_written():
    for json, number in NUMBERS:
        assert cursor(json).unsigned() == number, json


def test_what_is_no_unsigned_number_is_refused():
    for json in NO_NUMBERS:
        assert support.raises(Malformed, cursor(json).unsigned).offset == 100, json


def test_any_value_can_be_passed_over():
    for json in VALUES:
        at = cursor(json + b" , 1")
        at.skip()
        assert at.at == len(json), json


def test_what_is_no_value_is_not_passed_over():
    for json in NO_VALUES:
        support.raises(Malformed, cursor(json).skip)


def test_nesting_has_a_limit_that_no_stack_sets():
    for opening, closing in ((b"[", b"]"), (b'{"a":', b"}")):
        for levels, depth in ((16, 16), (17, 16), (5000, 16), (400, 400)):
            json = opening * levels + b"0" + closing * levels
            if levels <= depth:
                cursor(json, depth).skip()
            else:
                support.raises(LimitExceeded, cursor(json, depth).skip)


def test_members_come_in_the_order_of_the_file():
    at = cursor(b' { "b" : [ 1 , 2 ] , "a" : [ ] , "b" : [3] } \n')
    found = []
    at.enter(OBJECT)
    while at.another(OBJECT):
        found.append(at.key())
        at.enter(ARRAY)
        while at.another(ARRAY):
            found.append(at.unsigned())
    at.finish()
    assert found == ["b", 1, 2, "a", "b", 3]


def test_null_is_told_from_other_values():
    at = cursor(b" null,nul")
    assert at.null()
    assert at.another(ARRAY)
    support.raises(Malformed, at.null)
    assert not cursor(b"0").null()
    assert not cursor(b"").null()


def test_nothing_may_stand_behind_the_end():
    cursor(b" \t\r\n").finish()
    for json in (b"a", b" }", b"\0", b"\x0c", b"\xa0"):
        support.raises(Malformed, cursor(json).finish)


def test_each_shorter_prefix_is_refused():
    whole = b'{"a\\u00e9": [1, {"b": [true, -1.5e3, null]}], "c": "\xe2\x82\xac"}'
    cursor(whole).skip()
    for size in range(len(whole)):
        support.raises(BurnpackError, cursor(whole[:size]).skip)


def test_an_error_says_where_and_what():
    at = cursor(b'{"a":tree}')
    at.item = "a tensor"
    error = support.raises(Malformed, at.skip)
    assert error.offset == 105
    assert error.item == "a tensor"
    assert str(error) == "a tensor: broken JSON (expected a value, found b'tree}', at byte 105)"


def names(keys):
    """Return the `Names` of an object with these keys."""
    json = b"{" + b",".join([json_encode.text(key, "key") + b":0" for key in keys]) + b"}"
    found = Names(memoryview(json), 100)
    at = Cursor(memoryview(json))
    at.enter(OBJECT)
    while at.another(OBJECT):
        place = at.at
        found.add(place, at.key())
        at.unsigned()
    found.settle()
    return found


def test_names_are_found_by_their_text():
    keys = ["layers.%d.weight" % number for number in range(300)] + ["", "\n", "\u20ac", "x" * 200]
    found = names(keys)
    assert len(found) == len(keys)
    for number, key in enumerate(keys):
        assert found.find(key) == number
        assert found.name(number) == key
    for key in ("layers.300.weight", "layers.1", " ", "\\n", "x" * 199):
        assert found.find(key) == -1
    assert names([]).find("") == -1


def test_names_of_one_hash_are_told_apart():
    json_names.hash = lambda name: 0x12345
    try:
        keys = ["n%d" % number for number in range(40)]
        found = names(keys)
        assert [found.find(key) for key in keys] == list(range(40))
        assert found.find("m") == -1
        support.raises(DuplicateName, names, keys + ["n7"])
    finally:
        del json_names.hash


def test_a_repeated_name_is_refused_and_named():
    error = support.raises(DuplicateName, names, ["a", "b", "b"])
    assert (error.item, error.offset) == ("b", 113)
    support.raises(DuplicateName, names, ["n%d" % number for number in range(300)] + ["n150"])
    support.raises(DuplicateName, names, ["", ""])


def test_a_string_is_written_with_the_fewest_escapes():
    for text, json in (
        ("", b'""'),
        ("a/\x7f", b'"a/\x7f"'),
        ('"\\', b'"\\"\\\\"'),
        ("\b\t\n\f\r", b'"\\b\\t\\n\\f\\r"'),
        ("\0\x0b\x1f", b'"\\u0000\\u000b\\u001f"'),
        ("\xe9\u20ac\U0001f600", b'"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"'),
    ):
        assert json_encode.text(text, "name") == json
        assert cursor(json).string() == text


def test_what_is_no_text_is_not_written():
    for value in (None, 1, b"a", "\ud800", "a\udfff"):
        support.raises(Malformed, json_encode.text, value, "name")
