"""Burnpack containers that no reader may take, for what they are made of.

Tables of (what is wrong, the bytes, error class, words of its text).
"""

from burnpack.errors import (
    DuplicateName,
    InvalidTensor,
    LimitExceeded,
    Malformed,
    Truncated,
    UnknownFormat,
    Unsupported,
)
from kit.formats.burnpack_by_hand import (
    F32,
    container,
    descriptor,
    one,
    sections,
)
from kit.formats.cbor_by_hand import (
    BREAK,
    FALSE,
    HALF_ONE,
    NULL,
    SIMPLE,
    TRUE,
    UNDEFINED,
    array,
    blob,
    head,
    mapping,
    negative,
    numbers,
    tagged,
    text,
    unsigned,
)

GOOD = sections([("w", descriptor())])
BIGNUM = tagged(2, blob(b"\x01"))  # which means 1

NOT_UNSIGNED = (
    ("a negative number", negative(-1)),
    ("the least negative number", negative(-(1 << 64))),
    ("bytes", blob(b"\x01")),
    ("text", text("1")),
    ("an empty text", text("")),
    ("an array", numbers(1)),
    ("a map", mapping((unsigned(1), unsigned(1)))),
    ("a bignum", BIGNUM),
    ("a tagged number", tagged(100, unsigned(1))),
    ("false", FALSE),
    ("true", TRUE),
    ("undefined", UNDEFINED),
    ("a float", HALF_ONE),
    ("a simple value", head(SIMPLE, 1)),
)
NOT_TEXT = (
    ("a number", unsigned(1)),
    ("a negative number", negative(-1)),
    ("bytes", blob(b"w")),
    ("an array", array(text("w"))),
    ("a map", mapping(("w", text("w")))),
    ("a tagged text", tagged(32, text("w"))),
    ("a boolean", TRUE),
    ("null", NULL),
    ("undefined", UNDEFINED),
    ("a float", HALF_ONE),
)
NOT_A_MAP = NOT_TEXT[:4] + NOT_TEXT[6:] + (("text", text("w")), ("a tagged map", tagged(100, mapping())))
NOT_A_LIST = (
    ("a number", unsigned(1)),
    ("bytes", blob(b"\x01")),
    ("two bytes", blob(b"\x00\x01")),
    ("no bytes", blob(b"")),
    ("text", text("1")),
    ("an empty text", text("")),
    ("a map of numbers", mapping((unsigned(1), unsigned(1)))),
    ("a map of two numbers", mapping((unsigned(0), NULL), (unsigned(1), NULL))),
    ("an empty map", mapping()),
    ("null", NULL),
    ("a tagged array", tagged(4, numbers(0, 1))),
    ("a boolean", TRUE),
)


def refused():
    """Return all of them."""
    return of_the_header() + of_the_top_level() + of_descriptors() + of_shapes_and_offsets()


def of_the_header():
    return [
        ("nothing", b"", Truncated, "header is cut short"),
        ("a SafeTensors file", b"\x08\0\0\0\0\0\0\0{}      ", UnknownFormat, "not a Burnpack file"),
        ("the magic the other way round", container(GOOD, b"\x07", magic=b"BURN"), UnknownFormat, "NRUB"),
        ("a newer version", container(GOOD, b"\x07", version=2), Unsupported, "newer format version"),
        ("the newest version", container(GOOD, b"\x07", version=65535), Unsupported, "found 65535"),
        ("no metadata", container(b""), Truncated, "metadata is cut short"),
        ("a claim of more metadata than the file has", container(GOOD, size=500), Truncated, "expected 510"),
        ("a claim of the most metadata", container(GOOD, size=(1 << 32) - 1), LimitExceeded, "too large"),
        (
            "a byte behind the metadata",
            container(GOOD + b"\0", b"\x07"),
            Malformed,
            "bytes after the metadata",
        ),
        (
            "a second map behind the metadata",
            container(GOOD + GOOD, b"\x07"),
            Malformed,
            "bytes after the metadata",
        ),
        (
            "the marker of the end behind it",
            container(GOOD + BREAK, b"\x07"),
            Malformed,
            "bytes after the metadata",
        ),
        (
            "what could be data in the padding",
            _scribbled(container(GOOD, b"\x07")),
            Malformed,
            "before the data",
        ),
        ("a byte behind the data", container(GOOD, b"\x07\0"), Malformed, "bytes after the last tensor"),
        ("a page behind the data", container(GOOD, bytes(257)), Malformed, "bytes after the last tensor"),
    ]


def _scribbled(data):
    return data[:255] + b"\xaa" + data[256:]


def of_the_top_level():
    tensors = ("tensors", mapping(("w", descriptor())))
    texts = ("metadata", mapping(("a", text("b"))))
    scalars = ("scalars", mapping(("s", mapping(("Int", unsigned(1))))))
    rows = [
        ("a tag around the metadata", tagged(55799, GOOD), Malformed, "a tag"),
        ("no tensors", mapping(texts), Malformed, 'no "tensors"'),
        ("an empty map", mapping(), Malformed, 'no "tensors"'),
        ("tensors twice", mapping(tensors, tensors), DuplicateName, "tensors: the same key twice"),
        (
            "tensors twice, apart",
            mapping(tensors, texts, tensors),
            DuplicateName,
            "tensors: the same key twice",
        ),
        ("metadata twice", mapping(texts, texts, tensors), DuplicateName, "metadata: the same key twice"),
        ("scalars twice", mapping(scalars, tensors, scalars), DuplicateName, "scalars: the same key twice"),
        (
            "an unknown key twice",
            mapping(("x", NULL), tensors, ("x", NULL)),
            DuplicateName,
            "x: the same key twice",
        ),
        (
            "a name twice",
            mapping(("tensors", mapping(("w", descriptor()), ("w", descriptor())))),
            DuplicateName,
            "w: ",
        ),
        (
            "a name twice, in two spellings",
            mapping(("tensors", mapping(("w", descriptor()), (text("w", 8), descriptor())))),
            DuplicateName,
            "w: the same key twice",
        ),
        (
            "a metadata key twice",
            mapping(tensors, ("metadata", mapping(("a", text("b")), ("b", text("c")), ("a", text("b"))))),
            DuplicateName,
            "a: the same key twice",
        ),
    ]
    for what, item in NOT_A_MAP:
        rows.append(("%s for the metadata" % what, item, Malformed, "expected a map"))
        rows.append(("%s for the tensors" % what, mapping(("tensors", item)), Malformed, "expected a map"))
        rows.append(
            ("%s for a descriptor" % what, mapping(("tensors", mapping(("w", item)))), Malformed, "w: ")
        )
        rows.append(
            ("%s for the texts" % what, mapping(tensors, ("metadata", item)), Malformed, "expected a map")
        )
        rows.append(
            ("%s for the scalars" % what, mapping(tensors, ("scalars", item)), Malformed, "expected a map")
        )
    for what, item in NOT_TEXT:
        rows.append(("%s for a top key" % what, mapping(tensors, (item, NULL)), Malformed, "expected text"))
        rows.append(
            ("%s for a name" % what, mapping(("tensors", mapping((item, descriptor())))), Malformed, "text")
        )
        rows.append(
            (
                "%s for a metadata key" % what,
                mapping(tensors, ("metadata", mapping((item, text("b"))))),
                Malformed,
                "text",
            )
        )
        rows.append(
            (
                "%s for a metadata value" % what,
                mapping(tensors, ("metadata", mapping(("a", item)))),
                Malformed,
                "text",
            )
        )
    return [(what, container(item, b"\x07"), error, words) for what, item, error, words in rows]


def of_descriptors():
    pairs = [("dtype", text("U8")), ("shape", numbers(1)), ("data_offsets", numbers(0, 1))]
    rows = [("an empty descriptor", mapping(), Malformed, "w: the descriptor has no dtype")]
    for at, (key, _) in enumerate(pairs):
        rest = pairs[:at] + pairs[at + 1 :]
        rows.append(("no %s" % key, mapping(*rest), Malformed, "w: the descriptor has no %s" % key))
        rows.append(
            ("%s twice" % key, mapping(*(pairs + [pairs[at]])), DuplicateName, "%s: the same key twice" % key)
        )
    rows.append(
        (
            "param_id twice",
            descriptor(text("U8"), None, None, ("param_id", unsigned(1)), ("param_id", unsigned(1))),
            DuplicateName,
            "param_id",
        )
    )
    rows.append(
        (
            "an unknown key twice",
            descriptor(text("U8"), None, None, ("x", NULL), ("x", NULL)),
            DuplicateName,
            "x: ",
        )
    )
    for what, item in NOT_TEXT:
        rows.append(
            (
                "%s for a descriptor's key" % what,
                mapping(*(pairs + [(item, NULL)])),
                Malformed,
                "expected text",
            )
        )
    for what, item in NOT_UNSIGNED:
        identified = mapping(*(pairs + [("param_id", item)]))
        rows.append(("%s for a param_id" % what, identified, Malformed, "w: wrong type"))
    return [(what, one(item), error, words) for what, item, error, words in rows]


def of_shapes_and_offsets():
    rows = []
    for what, item in NOT_UNSIGNED:
        rows.append(("%s for an extent" % what, descriptor(text("U8"), array(item)), Malformed, "w: "))
        rows.append(
            (
                "%s for a second extent" % what,
                descriptor(text("U8"), array(unsigned(1), item)),
                Malformed,
                "w: ",
            )
        )
        rows.append(
            (
                "%s for the start" % what,
                descriptor(text("U8"), None, array(item, unsigned(1))),
                Malformed,
                "w: ",
            )
        )
        rows.append(
            (
                "%s for the end" % what,
                descriptor(text("U8"), None, array(unsigned(0), item)),
                Malformed,
                "w: ",
            )
        )
    for what, item in NOT_A_LIST:
        rows.append(("%s for a shape" % what, descriptor(text("U8"), item), Malformed, "w: wrong type"))
        rows.append(
            ("%s for the offsets" % what, descriptor(text("U8"), None, item), Malformed, "w: wrong type")
        )
    for offsets in ((), (0,), (0, 1, 1), (1, 0), (5, 4), ((1 << 64) - 1, 0)):
        item = descriptor(text("U8"), None, numbers(*offsets))
        rows.append(("offsets %r" % (offsets,), item, Malformed, "w: "))
    for size in (0, 4, 20, 23, 25, 28):
        item = descriptor(F32, numbers(2, 3), numbers(0, size))
        rows.append(
            ("F32 [2, 3] in %d bytes" % size, item, InvalidTensor, "F32 [2, 3] (expected 24 bytes, found")
        )
    for shape in (
        (1 << 32, 1 << 32),
        (1 << 62, 4),
        (1 << 63, 2),
        (1 << 16, 1 << 16, 1 << 16, 1 << 16),
        ((1 << 64) - 1, (1 << 64) - 1),
        (0, 1 << 32, 1 << 32),
        ((1 << 63), 0, 2),
    ):
        item = descriptor(text("U8"), numbers(*shape), numbers(0, 0))
        rows.append(("shape %r" % (shape,), item, InvalidTensor, "w: a shape of more than 64 bits"))
    wrapped = descriptor(text("F64"), numbers(1 << 61), numbers(0, 0))
    rows.append(("F64 whose size wraps to 0", wrapped, InvalidTensor, "expected 18446744073709551616 bytes"))
    rows.append(
        ("65 extents", descriptor(text("U8"), numbers(*([1] * 65))), Malformed, "w: too many numbers")
    )
    most = (1 << 64) - 1
    rows.append(
        (
            "a tensor as large as numbers go",
            descriptor(text("U8"), numbers(most), numbers(0, most)),
            LimitExceeded,
            "w: ",
        )
    )
    rows.append(
        (
            "offsets far behind the end",
            descriptor(text("U8"), None, numbers(most - 1, most)),
            Truncated,
            "cut short",
        )
    )
    rows.append(
        (
            "a tensor longer than the file",
            descriptor(text("U8"), numbers(2), numbers(0, 2)),
            Truncated,
            "found",
        )
    )
    found = [(what, one(item), error, words) for what, item, error, words in rows]
    for spans in (((0, 4), (0, 4)), ((0, 8), (4, 12)), ((4, 8), (0, 12)), ((0, 4), (0, 4), (0, 4))):
        tensors = []
        for number, (start, end) in enumerate(spans):
            tensors.append(
                ("w%d" % number, descriptor(text("U8"), numbers(end - start), numbers(start, end)))
            )
        data = bytes(max([end for _, end in spans]))
        found.append(
            ("bytes %r of two" % (spans,), container(sections(tensors), data), InvalidTensor, "overlap")
        )
    return found
