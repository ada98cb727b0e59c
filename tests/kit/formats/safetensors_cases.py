"""SafeTensors containers, good and bad, as tables: the same for our readers and for the reference.

A case is (what it is, header, data[, name of the error]). The header is text, or bytes where it is no UTF-8.
"""

import struct

F32 = '{"dtype":"F32","shape":[2],"data_offsets":[0,8]}'
U8 = '{"dtype":"U8","shape":[3],"data_offsets":[8,11]}'
EMPTY = '{"dtype":"F32","shape":[0],"data_offsets":[%d,%d]}'
EIGHT = bytes(range(1, 9))


def container(header, data=b""):
    """Return a SafeTensors container."""
    if isinstance(header, str):
        header = header.encode()
    return struct.pack("<Q", len(header)) + header + data


def member(dtype='"F32"', shape="[2]", offsets="[0,8]", more=""):
    """Return a header with one tensor, called a, of these JSON texts."""
    return '{"a":{"dtype":%s,"shape":%s,"data_offsets":%s%s}}' % (dtype, shape, offsets, more)


def nested(levels):
    """Return a header whose one tensor has an unknown member of arrays in arrays."""
    return member(more=',"x":' + "[" * levels + "]" * levels)


# What both take.
VALID = (
    ("one tensor", member(), EIGHT),
    (
        "an odd one before a wide one",
        '{"a":%s,"b":%s}' % (U8.replace("8,11", "0,3"), F32.replace("0,8", "3,11")),
        EIGHT + b"abc",
    ),
    ("no tensors", "{}", b""),
    ("no tensors, spaces", "{}      ", b""),
    (
        "white space anywhere",
        '{ "a" :\t{"dtype":\n"F32" ,\r"shape": [ 2 ] ,"data_offsets":[0 , 8]} } \n',
        EIGHT,
    ),
    ("members in another order", '{"a":{"data_offsets":[0,8],"shape":[2],"dtype":"F32"}}', EIGHT),
    (
        "members nobody knows",
        member(more=',"x":[1.5e3,-0.5,0,-1,1E+2,10e-2,{"y":null,"z":[]},true,false,"s"]'),
        EIGHT,
    ),
    ("an unknown member twice", member(more=',"x":1,"x":2'), EIGHT),
    ("an unknown member first", '{"a":{"x":{},"dtype":"F32","shape":[2],"data_offsets":[0,8]}}', EIGHT),
    ("nested as deeply as it may be", nested(13), EIGHT),
    ("a scalar", member(shape="[]", offsets="[0,4]"), EIGHT[:4]),
    ("no elements", member(shape="[0]", offsets="[0,0]"), b""),
    ("no elements in two dimensions", member(shape="[2,0]", offsets="[0,0]"), b""),
    ("a tensor without bytes behind another", '{"a":%s,"b":%s}' % (F32, EMPTY % (8, 8)), EIGHT),
    ("the same, named first", '{"b":%s,"a":%s}' % (EMPTY % (8, 8), F32), EIGHT),
    ("a tensor without bytes before another", '{"a":%s,"b":%s}' % (F32, EMPTY % (0, 0)), EIGHT),
    ("names against the order of the data", '{"b":%s,"a":%s}' % (U8, F32), EIGHT + b"abc"),
    ("64 dimensions", member('"U8"', "[" + ",".join(["1"] * 64) + "]", "[0,1]"), b"a"),
    ("an extent of 64 bits beside a 0", member(shape="[0,18446744073709551615]", offsets="[0,0]"), b""),
    ("metadata", '{"__metadata__":{"k":"v","":""},"a":%s}' % F32, EIGHT),
    ("metadata behind a tensor", '{"a":%s,"__metadata__":{"k":"v"}}' % F32, EIGHT),
    ("metadata alone", '{"__metadata__":{"k":"v"}}', b""),
    ("empty metadata", '{"__metadata__":{},"a":%s}' % F32, EIGHT),
    ("null metadata", '{"__metadata__":null,"a":%s}' % F32, EIGHT),
    ("the empty name", '{"":%s}' % F32, EIGHT),
    (
        "names in escapes",
        '{"\\"\\\\\\/\\b\\f\\n\\r\\t\\u0041\\u00e9\\u20AC\\ud83d\\ude00\\u0000":%s}' % F32,
        EIGHT,
    ),
    ("names in UTF-8", '{"é€😀\x7f":%s}' % F32, EIGHT),
    ("a long name", '{"%s":%s}' % ("n" * 300, F32), EIGHT),
    ("a dtype in escapes", member('"F\\u00332"'), EIGHT),
    ("keys in escapes", '{"a":{"\\u0064type":"F32","sh\\u0061pe":[2],"data_offsets":[0,8]}}', EIGHT),
    ("half bytes that make whole ones", member('"F4"', "[2,2]", "[0,2]"), b"ab"),
    ("six bits that make whole bytes", member('"F6_E2M3"', "[4]", "[0,3]"), b"abc"),
)

# What the reference takes and we do not.
STRICTER = (
    ("a name twice on one range", '{"a":%s,"a":%s}' % (F32, F32), EIGHT, "DuplicateName"),
    ("a name twice, once in escapes", '{"a":%s,"\\u0061":%s}' % (F32, F32), EIGHT, "DuplicateName"),
    ("an empty tensor twice", '{"a":%s,"a":%s}' % (EMPTY % (0, 0), EMPTY % (0, 0)), b"", "DuplicateName"),
    ("a metadata key twice", '{"__metadata__":{"k":"1","k":"2"},"a":%s}' % F32, EIGHT, "DuplicateName"),
    ("white space before the header", " " + member(), EIGHT, "UnknownFormat"),
    ("a description written as a list", '{"a":["F32",[2],[0,8]]}', EIGHT, "Malformed"),
    ("a dtype written as an object", member('{"F32":null}'), EIGHT, "Malformed"),
    ("65 dimensions", member('"U8"', "[" + ",".join(["1"] * 65) + "]", "[0,1]"), b"a", "InvalidTensor"),
    (
        "extents that a 0 keeps from overflowing",
        member(shape="[0,9223372036854775808,4]", offsets="[0,0]"),
        b"",
        "InvalidTensor",
    ),
)

# What we take and the reference does not: members that neither of us knows, and that are skipped.
LOOSER = (("a number in an unknown member that no float holds", member(more=',"x":1e999'), EIGHT),)

# What neither takes.
HOSTILE = (
    # The same thing twice
    ("the metadata twice", '{"__metadata__":{},"__metadata__":{},"a":%s}' % F32, EIGHT, "DuplicateName"),
    ("null metadata twice", '{"__metadata__":null,"__metadata__":null,"a":%s}' % F32, EIGHT, "DuplicateName"),
    (
        "a dtype twice",
        '{"a":{"dtype":"F32","dtype":"F32","shape":[2],"data_offsets":[0,8]}}',
        EIGHT,
        "DuplicateName",
    ),
    ("a shape twice", member(more=',"shape":[2]'), EIGHT, "DuplicateName"),
    ("a range twice", member(more=',"data_offsets":[0,8]'), EIGHT, "DuplicateName"),
    # The data
    ("two names on one range", '{"a":%s,"b":%s}' % (F32, F32), EIGHT, "InvalidTensor"),
    ("an overlap", '{"a":%s,"b":%s}' % (F32, F32.replace("0,8", "4,12")), EIGHT + EIGHT[:4], "InvalidTensor"),
    ("a hole", '{"a":%s,"b":%s}' % (F32, F32.replace("0,8", "9,17")), EIGHT + b"-" + EIGHT, "InvalidTensor"),
    ("a hole in front", member(offsets="[1,9]"), b"-" + EIGHT, "InvalidTensor"),
    (
        "a tensor without bytes inside another",
        '{"a":%s,"b":%s}' % (F32, EMPTY % (4, 4)),
        EIGHT,
        "InvalidTensor",
    ),
    (
        "a tensor without bytes behind the data",
        '{"a":%s,"b":%s}' % (F32, EMPTY % (9, 9)),
        EIGHT,
        "InvalidTensor",
    ),
    ("a byte too many", member(), EIGHT + b"-", "Malformed"),
    ("a byte too few", member(), EIGHT[:7], "Truncated"),
    ("data that no tensor has", "{}", b"-", "Malformed"),
    ("no data", member(), b"", "Truncated"),
    ("a range too short for its shape", member(offsets="[0,4]"), EIGHT[:4], "InvalidTensor"),
    ("a range too long for its shape", member(shape="[1]"), EIGHT, "InvalidTensor"),
    ("a range that runs backwards", member(offsets="[8,0]"), EIGHT, "InvalidTensor"),
    (
        "a range beyond all files",
        member(offsets="[18446744073709551607,18446744073709551615]"),
        EIGHT,
        "InvalidTensor",
    ),
    ("a shape beyond all memory", member(shape="[4294967296,4294967296,4]"), EIGHT, "InvalidTensor"),
    ("a shape that overflows to its range", member(shape="[4611686018427387905,4]"), EIGHT, "InvalidTensor"),
    (
        "a shape whose bits overflow to its range",
        member(shape="[2305843009213693954]"),
        EIGHT,
        "InvalidTensor",
    ),
    (
        "an overflow before a 0",
        member(shape="[9223372036854775808,4,0]", offsets="[0,0]"),
        b"",
        "InvalidTensor",
    ),
    ("half a byte", member('"F4"', "[3]", "[0,2]"), b"ab", "InvalidTensor"),
    ("six bits", member('"F6_E3M2"', "[1]", "[0,1]"), b"a", "InvalidTensor"),
    # What a tensor is described by
    ("an unknown dtype", member('"F33"'), EIGHT, "Unsupported"),
    ("a dtype in small letters", member('"f32"'), EIGHT, "Unsupported"),
    ("a dtype as Burn spells it", member('"Bool"', "[8]"), EIGHT, "Unsupported"),
    ("a dtype that is a number", member("32"), EIGHT, "Malformed"),
    ("a dtype that is null", member("null"), EIGHT, "Malformed"),
    ("no dtype", '{"a":{"shape":[2],"data_offsets":[0,8]}}', EIGHT, "Malformed"),
    ("no shape", '{"a":{"dtype":"F32","data_offsets":[0,8]}}', EIGHT, "Malformed"),
    ("no range", '{"a":{"dtype":"F32","shape":[2]}}', EIGHT, "Malformed"),
    ("nothing at all", '{"a":{}}', EIGHT, "Malformed"),
    ("one offset", member(offsets="[8]"), EIGHT, "Malformed"),
    ("three offsets", member(offsets="[0,8,8]"), EIGHT, "Malformed"),
    ("no offsets", member(offsets="[]"), EIGHT, "Malformed"),
    ("offsets in an object", member(offsets='{"0":0,"1":8}'), EIGHT, "Malformed"),
    ("offsets that are text", member(offsets='["0","8"]'), EIGHT, "Malformed"),
    ("a shape that is a number", member(shape="2"), EIGHT, "Malformed"),
    ("a shape in a shape", member(shape="[[2]]"), EIGHT, "Malformed"),
    ("an extent with a fraction", member(shape="[2.0]"), EIGHT, "Malformed"),
    ("an extent with an exponent", member(shape="[2e0]"), EIGHT, "Malformed"),
    ("an extent with a large exponent", member(shape="[2E0]"), EIGHT, "Malformed"),
    ("a negative extent", member(shape="[-2]"), EIGHT, "Malformed"),
    ("a negative zero", member(shape="[0]", offsets="[-0,0]"), b"", "Malformed"),
    ("an extent with a sign", member(shape="[+2]"), EIGHT, "Malformed"),
    ("an extent with a leading zero", member(shape="[02]"), EIGHT, "Malformed"),
    ("an extent in hexadecimal", member(shape="[0x2]"), EIGHT, "Malformed"),
    ("an extent of 65 bits", member(shape="[0,18446744073709551616]", offsets="[0,0]"), b"", "Malformed"),
    ("an extent of a thousand digits", member(shape="[%s]" % ("9" * 1000)), EIGHT, "Malformed"),
    ("an extent of true", member(shape="[true]"), EIGHT, "Malformed"),
    ("an extent that is not a number", member(shape="[NaN]"), EIGHT, "Malformed"),
    # Names and metadata
    ("a tensor called __metadata__", '{"__metadata__":%s}' % F32, EIGHT, "Malformed"),
    ("a number in the metadata", '{"__metadata__":{"k":1},"a":%s}' % F32, EIGHT, "Malformed"),
    ("null in the metadata", '{"__metadata__":{"k":null},"a":%s}' % F32, EIGHT, "Malformed"),
    ("metadata in a list", '{"__metadata__":[],"a":%s}' % F32, EIGHT, "Malformed"),
    ("metadata that is text", '{"__metadata__":"k","a":%s}' % F32, EIGHT, "Malformed"),
    ("half a surrogate pair", '{"\\ud800":%s}' % F32, EIGHT, "Malformed"),
    ("half a surrogate pair at the end", '{"a\\ud83d\\n":%s}' % F32, EIGHT, "Malformed"),
    ("a surrogate pair the wrong way round", '{"\\ude00\\ud83d":%s}' % F32, EIGHT, "Malformed"),
    ("two first halves", '{"\\ud83d\\ud83d":%s}' % F32, EIGHT, "Malformed"),
    ("a control character", '{"a\x01":%s}' % F32, EIGHT, "Malformed"),
    ("a line feed in a name", '{"a\n":%s}' % F32, EIGHT, "Malformed"),
    ("a control character in a long name", '{"%s\x1f":%s}' % ("n" * 300, F32), EIGHT, "Malformed"),
    ("an unknown escape", '{"a\\x":%s}' % F32, EIGHT, "Malformed"),
    ("an escape with three digits", '{"\\u123":%s}' % F32, EIGHT, "Malformed"),
    ("an escape with a sign", '{"\\u+123":%s}' % F32, EIGHT, "Malformed"),
    ("a name that is not UTF-8", b'{"\xff":%s}' % F32.encode(), EIGHT, "Malformed"),
    ("a surrogate in UTF-8", b'{"\xed\xa0\x80":%s}' % F32.encode(), EIGHT, "Malformed"),
    ("an overlong form", b'{"\xc0\xaf":%s}' % F32.encode(), EIGHT, "Malformed"),
    ("an overlong form of three bytes", b'{"\xe0\x9f\xbf":%s}' % F32.encode(), EIGHT, "Malformed"),
    ("beyond Unicode", b'{"\xf4\x90\x80\x80":%s}' % F32.encode(), EIGHT, "Malformed"),
    ("a character cut short", b'{"\xe2\x82":%s}' % F32.encode(), EIGHT, "Malformed"),
    ("metadata that is not UTF-8", b'{"__metadata__":{"k":"\xff"}}', b"", "Malformed"),
    (
        "an unknown member that is not UTF-8",
        member(more=',"x":"?"').encode().replace(b"?", b"\xff"),
        EIGHT,
        "Malformed",
    ),
    ("half a surrogate pair in an unknown member", member(more=',"x":"\\ud800"'), EIGHT, "Malformed"),
    # The JSON around it
    ("an empty header", "", b"", "Malformed"),
    ("a list", "[]", b"", "UnknownFormat"),
    ("a byte order mark", "\ufeff" + member(), EIGHT, "UnknownFormat"),
    ("a tensor that is a number", '{"a":1}', EIGHT, "Malformed"),
    ("a tensor that is null", '{"a":null}', EIGHT, "Malformed"),
    ("a name that is a number", "{1:%s}" % F32, EIGHT, "Malformed"),
    ("a name without quotes", "{a:%s}" % F32, EIGHT, "Malformed"),
    ("a name in single quotes", "{'a':%s}" % F32, EIGHT, "Malformed"),
    ("a comma too many", '{"a":%s,}' % F32, EIGHT, "Malformed"),
    ("a comma in front", '{,"a":%s}' % F32, EIGHT, "Malformed"),
    ("a comma too many in a shape", member(shape="[2,]"), EIGHT, "Malformed"),
    ("no comma in a shape", member(shape="[2 1]"), EIGHT, "Malformed"),
    (
        "no comma between members",
        '{"a":{"dtype":"F32" "shape":[2],"data_offsets":[0,8]}}',
        EIGHT,
        "Malformed",
    ),
    ("no colon", '{"a" %s}' % F32, EIGHT, "Malformed"),
    ("two colons", '{"a"::%s}' % F32, EIGHT, "Malformed"),
    ("the wrong bracket", member(shape="[2}"), EIGHT, "Malformed"),
    ("no end", member()[:-1], EIGHT, "Malformed"),
    ("an end too many", member() + "}", EIGHT, "Malformed"),
    ("two headers", member() + member(), EIGHT, "Malformed"),
    ("zeros behind the header", member() + "\0", EIGHT, "Malformed"),
    ("a comment", member() + "//", EIGHT, "Malformed"),
    ("a form feed for a space", member().replace(":", ":\f", 1), EIGHT, "Malformed"),
    ("a no-break space", member().replace(":", ":\xa0", 1), EIGHT, "Malformed"),
    ("an unknown member with a leading zero", member(more=',"x":01'), EIGHT, "Malformed"),
    ("an unknown member without a fraction", member(more=',"x":1.'), EIGHT, "Malformed"),
    ("an unknown member without an exponent", member(more=',"x":1e'), EIGHT, "Malformed"),
    ("an unknown member with a sign alone", member(more=',"x":-'), EIGHT, "Malformed"),
    ("an unknown member that is not a number", member(more=',"x":NaN'), EIGHT, "Malformed"),
    ("an unknown member that is half a word", member(more=',"x":tru'), EIGHT, "Malformed"),
    ("an unknown member without a value", member(more=',"x":'), EIGHT, "Malformed"),
    ("an unknown object without a colon", member(more=',"x":{"y"}'), EIGHT, "Malformed"),
    ("an unknown object without a key", member(more=',"x":{1}'), EIGHT, "Malformed"),
    ("an unknown list without its end", member(more=',"x":[1'), EIGHT, "Malformed"),
    ("nested too deeply", nested(126), EIGHT, "LimitExceeded"),
    ("nested a thousandfold", nested(1000), EIGHT, "LimitExceeded"),
)

# Files that are no such container, as bytes.
FOREIGN = (
    ("an empty file", b"", "Truncated"),
    ("seven bytes", bytes(7), "Truncated"),
    ("a header of no bytes", bytes(8), "Malformed"),
    ("a header that is not all there", struct.pack("<Q", 100) + b"{}", "Truncated"),
    ("a header of 100,000,001 bytes", struct.pack("<Q", 100000001) + b"{}", "LimitExceeded"),
    ("a header of 2**63 bytes", struct.pack("<Q", 1 << 63) + b"{}", "LimitExceeded"),
    ("a header of 2**64 - 1 bytes", struct.pack("<Q", (1 << 64) - 1) + b"{}", "LimitExceeded"),
    (
        "a pointer of Git LFS",
        b"version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n",
        "UnknownFormat",
    ),
    ("a page of HTML", b"<!DOCTYPE html><html><head><title>404</title></head></html>", "UnknownFormat"),
    ("a zip archive", b"PK\x03\x04" + bytes(60), "UnknownFormat"),
    ("zeros", bytes(64), "UnknownFormat"),
)
