"""Burnpack containers that every reader takes: tables of (what is special, the bytes, what they hold).

What they hold is a list of (name, dtype, shape, bytes, param_id) in the order of the index.
"""

from burnpack.qfloat import QFloat
from kit.formats.burnpack_by_hand import (
    F32,
    block,
    block_size,
    container,
    descriptor,
    old_scheme,
    one,
    scheme,
    sections,
    with_scheme,
)
from kit.formats.cbor_by_hand import (
    ARRAY,
    FALSE,
    HALF_ONE,
    MAP,
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
    opened_array,
    opened_mapping,
    opened_text,
    tagged,
    text,
    unsigned,
)

W = [("w", "U8", (1,), b"\x07", None)]
PLAIN = text("U8")
EDGES = "\x7f\x80\u07ff\u0800\ud7ff\ue000\uffff\U00010000\U0010ffff"  # of each width of UTF-8
# Two tensors without a gap between them.
NARROW = [
    ("a", descriptor(PLAIN, numbers(3), numbers(0, 3))),
    ("b", descriptor(PLAIN, numbers(2), numbers(3, 5))),
]
NARROW_HELD = [("a", "U8", (3,), b"\1\2\3", None), ("b", "U8", (2,), b"\4\5", None)]


def accepted():
    """Return all of them."""
    return of_spelling() + of_unknown_keys() + of_values() + of_layouts() + of_schemes()


def of_spelling():
    """Any valid CBOR of the right shape will do."""
    whole = descriptor()
    turned = mapping(("data_offsets", numbers(0, 1)), ("shape", numbers(1)), ("dtype", PLAIN))
    rows = [
        ("keys the other way round", sections([("w", turned)])),
        ("open maps", opened_mapping(("tensors", opened_mapping(("w", opened_mapping(*_pairs())))))),
        ("an open shape", sections([("w", descriptor(PLAIN, opened_array(unsigned(1))))])),
        ("open offsets", sections([("w", descriptor(PLAIN, None, opened_array(unsigned(0), unsigned(1))))])),
        ("a name in chunks", sections([(opened_text("", "w", ""), whole)])),
        ("keys in chunks", mapping((opened_text("ten", "sors"), mapping(("w", whole))))),
        ("a dtype in chunks", sections([("w", descriptor(opened_text("U", "8")))])),
    ]
    for width in (1, 2, 4, 8):
        extents = head(ARRAY, 1, width) + unsigned(1, width)
        offsets = head(ARRAY, 2, width) + unsigned(0, width) + unsigned(1, width)
        item = descriptor(text("U8", width), extents, offsets)
        tensors = head(MAP, 1, width) + text("w", width) + item
        rows.append(("heads of %d bytes" % width, head(MAP, 1, width) + text("tensors", width) + tensors))
    return [(what, container(item, b"\x07"), W) for what, item in rows]


def _pairs():
    return [("dtype", PLAIN), ("shape", numbers(1)), ("data_offsets", numbers(0, 1))]


def of_unknown_keys():
    """What a later release may add is passed over, whatever it is."""
    nested = mapping(
        ("a", array(NULL, mapping((unsigned(1), blob(b"x"))), opened_array(TRUE, opened_mapping())))
    )
    items = (
        ("a number", unsigned(1 << 63)),
        ("a negative number", negative(-(1 << 64))),
        ("bytes", blob(bytes(300))),
        ("text", text("text")),
        ("a text in chunks", opened_text("a", "b")),
        ("bytes in chunks", b"\x5f" + blob(b"a") + blob(b"") + b"\xff"),
        ("an array", array(unsigned(1), text("a"))),
        ("nested values", nested),
        ("an empty map", mapping()),
        ("a map with numbers for keys", mapping((unsigned(1), NULL), (negative(-1), NULL))),
        ("a map with one key twice", mapping(("a", NULL), ("a", NULL))),
        ("tags", tagged(0, tagged(1 << 40, text("a")))),
        ("a shared value", tagged(28, array(tagged(29, unsigned(0))))),
        ("a half", HALF_ONE),
        ("a single", b"\xfa" + bytes(4)),
        ("a double", b"\xfb" + bytes(8)),
        ("booleans", array(FALSE, TRUE)),
        ("undefined", UNDEFINED),
        ("a simple value", head(SIMPLE, 16)),
        ("a simple value of two bytes", head(SIMPLE, 255, 1)),
    )
    rows = []
    for what, item in items:
        extra = ("later", item)
        rows.append(("%s at the top" % what, sections([("w", descriptor())], extra)))
        rows.append(
            ("%s before the tensors" % what, mapping(extra, ("tensors", mapping(("w", descriptor())))))
        )
        rows.append(("%s in a descriptor" % what, sections([("w", descriptor(PLAIN, None, None, extra))])))
    found = [(what, container(item, b"\x07"), W) for what, item in rows]
    for what, item in items:
        found.append(
            ("%s in a scheme" % what, with_scheme(scheme(("later", item))), quantized(QFloat("Q8S")))
        )
    return found


def of_values():
    first = ("w", descriptor())
    return [
        ("version 0", container(sections([first]), b"\x07", version=0), W),
        ("no param_id", one(descriptor(PLAIN, None, None, ("param_id", NULL))), W),
        ("a param_id of 0", one(descriptor(PLAIN, None, None, ("param_id", unsigned(0)))), identified(0)),
        (
            "the largest param_id",
            one(descriptor(PLAIN, None, None, ("param_id", unsigned((1 << 64) - 1)))),
            identified((1 << 64) - 1),
        ),
        ("64 extents", one(descriptor(PLAIN, numbers(*([1] * 64)))), [("w", "U8", (1,) * 64, b"\x07", None)]),
        (
            "an extent of 0 and the largest beside it",
            container(sections([("w", descriptor(F32, numbers(0, (1 << 64) - 1), numbers(0, 0)))])),
            [("w", "F32", (0, (1 << 64) - 1), b"", None)],
        ),
        ("a scalar", one(descriptor(PLAIN, numbers())), [("w", "U8", (), b"\x07", None)]),
        ("a scalar, open", one(descriptor(PLAIN, opened_array())), [("w", "U8", (), b"\x07", None)]),
        ("tensors end to end, aligned as a whole", container(sections(NARROW), b"\1\2\3\4\5"), NARROW_HELD),
        ("a bare Bool", one(descriptor(text("Bool"))), [("w", "Bool", (1,), b"\x07", None)]),
        (
            "a Native Bool",
            one(descriptor(mapping(("Bool", text("Native"))))),
            [("w", "Bool", (1,), b"\x07", None)],
        ),
        (
            "a U8 Bool",
            one(descriptor(mapping(("Bool", text("U8"))))),
            [("w", "Bool(U8)", (1,), b"\x07", None)],
        ),
        (
            "a Bool in open spelling",
            one(descriptor(opened_mapping((opened_text("Bo", "ol"), opened_text("U8"))))),
            [("w", "Bool(U8)", (1,), b"\x07", None)],
        ),
        ("no tensors", container(sections([])), []),
        ("no tensors, open", container(opened_mapping(("tensors", opened_mapping()))), []),
        (
            "empty texts and scalars",
            container(sections([first], ("metadata", mapping()), ("scalars", mapping())), b"\x07"),
            W,
        ),
        (
            "names that are not sorted",
            container(
                sections(
                    [
                        ("b", descriptor()),
                        ("", descriptor(PLAIN, None, numbers(256, 257))),
                        ("a", _empty(512)),
                    ]
                ),
                b"\x07" + bytes(255) + b"\x09" + bytes(255),
            ),
            [("b", "U8", (1,), b"\x07", None), ("", "U8", (1,), b"\x09", None), ("a", "U8", (0,), b"", None)],
        ),
        (
            "a name of control characters and every width of UTF-8",
            container(sections([("\0\n\x1b[31m\x7f\x9b é 重 🔥", descriptor())]), b"\x07"),
            [("\0\n\x1b[31m\x7f\x9b é 重 🔥", "U8", (1,), b"\x07", None)],
        ),
        (
            "the edges of UTF-8",
            container(sections([(text(EDGES.encode()), descriptor())]), b"\x07"),
            [(EDGES, "U8", (1,), b"\x07", None)],
        ),
    ]


def _empty(start):
    return descriptor(PLAIN, numbers(0), numbers(start, start))


def identified(param_id):
    return [("w", "U8", (1,), b"\x07", param_id)]


def of_layouts():
    """Where the data lies: today's way, and end to end right behind the metadata, as Burn 0.19 did."""
    old = ("metadata", mapping(("version", text("0.19.1"))))
    [
        ("a", descriptor(PLAIN, numbers(3), numbers(0, 3))),
        ("b", descriptor(PLAIN, numbers(2), numbers(3, 5))),
    ]
    gap = [("a", descriptor()), ("b", descriptor(PLAIN, None, numbers(4096, 4097)))]
    return [
        ("a gap in the data", container(sections(gap), b"\1" + bytes(4095) + b"\2"), _two(b"\1", b"\2")),
        (
            "padding that is not zero",
            _scribbled(container(sections(gap), b"\1" + bytes(4095) + b"\2")),
            _two(b"\1", b"\2"),
        ),
        ("tensors end to end, packed", container(sections(NARROW), b"\1\2\3\4\5", alignment=1), NARROW_HELD),
        (
            "one tensor, packed, its release named",
            container(sections([("w", descriptor())], old), b"\x07", alignment=1),
            W,
        ),
        ("one tensor, packed, not zero", container(sections([("w", descriptor())]), b"\x07", alignment=1), W),
        (
            "one tensor of zeros, packed, its release named",
            container(sections([("w", descriptor())], old), b"\0", alignment=1),
            [("w", "U8", (1,), b"\0", None)],
        ),
        ("no tensors, packed, its release named", container(sections([], old), alignment=1), []),
    ]


def _two(first, second):
    return [("a", "U8", (1,), first, None), ("b", "U8", (1,), second, None)]


def _scribbled(data):
    return data[:255] + b"\xaa" + data[256:]


def quantized(dtype):
    return [("w", dtype, (1,), b"\x7f\x00\x00\x80\x3f", None)]


def of_schemes():
    packed = mapping(("PackedU32", unsigned(2)))
    size = block_size(2, 4)
    rows = [
        ("today's plain scheme", scheme(), QFloat("Q8S")),
        ("a scheme without its absent levels", scheme(("tensor", None), ("block", None)), QFloat("Q8S")),
        ("a tensor scale", scheme(("tensor", text("F16"))), QFloat("Q8S", tensor="F16")),
        ("today's F32 scale, named", scheme(("tensor", F32)), QFloat("Q8S", tensor="F32")),
        ("look-up", scheme(("mode", text("Lookup")), ("value", text("Q4F"))), QFloat("Q4F", mode="Lookup")),
        ("packed words", scheme(("store", packed)), QFloat("Q8S", ("PackedU32", 2))),
        (
            "packed bytes",
            scheme(("store", mapping(("PackedNative", unsigned(0)))), ("value", text("E2M1"))),
            QFloat("E2M1", ("PackedNative", 0)),
        ),
        (
            "blocks and a tensor scale",
            scheme(("block", block(size, "UE4M3")), ("tensor", F32)),
            QFloat("Q8S", tensor="F32", block=((2, 4), "UE4M3")),
        ),
        (
            "the largest block",
            scheme(("block", block(block_size(255)))),
            QFloat("Q8S", block=((255,), "F32")),
        ),
        (
            "blocks of five dimensions",
            scheme(("block", block(block_size(1, 2, 3, 4, 5)))),
            _blocks(1, 2, 3, 4, 5),
        ),
        ("blocks of one element", scheme(("block", block(block_size()))), _blocks()),
        ("the old plain scheme", old_scheme(), QFloat("Q8S")),
        ("the old scheme with an F16 scale", old_scheme(("param", text("F16"))), QFloat("Q8S", tensor="F16")),
        ("the old scheme with blocks", old_scheme(("level", mapping(("Block", size)))), _blocks(2, 4)),
        (
            "the old scheme with blocks of one element",
            old_scheme(("level", mapping(("Block", block_size())))),
            _blocks(),
        ),
        (
            "the old scheme with blocks and BF16 scales",
            old_scheme(("level", mapping(("Block", size))), ("param", text("BF16"))),
            QFloat("Q8S", block=((2, 4), "BF16")),
        ),
        ("Burn 0.19's packed words", old_scheme(("store", text("U32"))), QFloat("Q8S", ("PackedU32", 0))),
        ("the old scheme with packed words", old_scheme(("store", packed)), QFloat("Q8S", ("PackedU32", 2))),
    ]
    return [(what, with_scheme(item), quantized(dtype)) for what, item, dtype in rows]


def _blocks(*extents):
    return QFloat("Q8S", block=(extents, "F32"))
