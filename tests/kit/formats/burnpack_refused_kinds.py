"""Burnpack containers that no reader may take, for their dtypes, quantization schemes and scalars.

Tables as in `burnpack_refused`.
"""

from burnpack.errors import DuplicateName, Malformed, Unsupported
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
    with_scalar,
    with_scheme,
)
from kit.formats.burnpack_refused import BIGNUM, NOT_TEXT
from kit.formats.cbor_by_hand import (
    HALF_ONE,
    MAP,
    NULL,
    TRUE,
    blob,
    mapping,
    negative,
    numbers,
    text,
    unsigned,
)


def refused():
    """Return all of them."""
    return of_dtypes() + of_schemes() + of_old_schemes() + of_scalars()


def of_dtypes():
    native = text("Native")
    rows = [
        ("an unknown dtype", text("F8"), Unsupported, "w: unknown dtype (found F8"),
        ("a dtype in small letters", text("u8"), Unsupported, "found u8"),
        ("a dtype with a space", text("U8 "), Unsupported, "unknown dtype"),
        ("a dtype without letters", text(""), Unsupported, "unknown dtype"),
        ("SafeTensors' name", text("BOOL"), Unsupported, "found BOOL"),
        ("a dtype of this package's own", text("Bool(U8)"), Unsupported, "found Bool(U8)"),
        ("a quantized dtype by name alone", text("QFloat"), Unsupported, "found QFloat"),
        ("an empty dtype", mapping(), Malformed, "w: an empty dtype"),
        ("an unknown variant", mapping(("F8", native)), Unsupported, "unknown dtype"),
        ("a plain dtype as a variant", mapping(("U8", NULL)), Unsupported, "unknown dtype"),
        ("an unknown store", mapping(("Bool", text("U16"))), Unsupported, "found U16"),
        (
            "two variants",
            mapping(("Bool", native), ("QFloat", scheme())),
            Malformed,
            "w: a dtype of more than one entry",
        ),
        (
            "a variant twice",
            mapping(("Bool", native), ("Bool", native)),
            DuplicateName,
            "Bool: the same key twice",
        ),
    ]
    for what, item in NOT_TEXT:
        if item[0] >> 5 != MAP:
            rows.append(("%s for a dtype" % what, item, Malformed, "w: wrong type"))
        rows.append(("%s for a store" % what, mapping(("Bool", item)), Malformed, "w: wrong type"))
        rows.append(("%s for a dtype's key" % what, mapping((item, native)), Malformed, "w: wrong type"))
    return [(what, one(descriptor(item)), error, words) for what, item, error, words in rows]


def of_schemes():
    size = block_size(4)
    rows = [
        ("an empty scheme", mapping(), Malformed, "w: the scheme has no value"),
        ("a scheme without a value", scheme(("value", None)), Malformed, "w: the scheme has no value"),
        ("a scheme without a store", scheme(("store", None)), Malformed, "w: the scheme has no store"),
        ("a scheme without a mode", scheme(("mode", None)), Malformed, "w: the scheme has no mode"),
        ("an unknown value", scheme(("value", text("Q3S"))), Malformed, "w: unknown name"),
        ("an unknown mode", scheme(("mode", text("Affine"))), Malformed, "w: unknown name"),
        ("an unknown store", scheme(("store", text("Packed"))), Malformed, "w: unknown name"),
        (
            "an unknown packing",
            scheme(("store", mapping(("PackedU64", unsigned(0))))),
            Malformed,
            "w: unknown store",
        ),
        ("an empty store", scheme(("store", mapping())), Malformed, "w: an empty store"),
        (
            "two stores",
            scheme(("store", mapping(("PackedNative", unsigned(0)), ("PackedU32", unsigned(0))))),
            Malformed,
            "w: unknown store",
        ),
        (
            "a store twice",
            scheme(("store", mapping(("PackedU32", unsigned(0)), ("PackedU32", unsigned(0))))),
            DuplicateName,
            "PackedU32",
        ),
        (
            "a negative dimension",
            scheme(("store", mapping(("PackedU32", negative(-1))))),
            Malformed,
            "w: wrong type",
        ),
        (
            "a huge dimension",
            scheme(("store", mapping(("PackedU32", unsigned(1 << 63))))),
            Malformed,
            "w: number too",
        ),
        ("an unknown scale", scheme(("tensor", text("F64"))), Malformed, "w: unknown name"),
        ("a number for a scale", scheme(("tensor", unsigned(1))), Malformed, "w: wrong type"),
        ("a text for a block", scheme(("block", text("Tensor"))), Malformed, "w: wrong type"),
        ("an empty block", scheme(("block", mapping())), Malformed, "w: a block without"),
        (
            "a block without a scale",
            scheme(("block", mapping(("size", size)))),
            Malformed,
            "w: a block without",
        ),
        (
            "a block without a size",
            scheme(("block", mapping(("dtype", F32)))),
            Malformed,
            "w: a block without",
        ),
        ("a block of an unknown scale", scheme(("block", block(size, "Q8S"))), Malformed, "w: unknown name"),
        (
            "a block with an extent of 0",
            scheme(("block", block(block_size(4, 0)))),
            Malformed,
            "w: impossible block",
        ),
        (
            "a block with an extent of 256",
            scheme(("block", block(block_size(256)))),
            Malformed,
            "w: number too",
        ),
        (
            "a block of six dimensions",
            scheme(("block", block(mapping(("storage", numbers(1, 1, 1, 1, 1, 1)), ("len", unsigned(5)))))),
            Malformed,
            "w: impossible block",
        ),
        (
            "a block whose length is more than its dimensions",
            scheme(("block", block(mapping(("storage", numbers(1, 1, 1, 1, 1)), ("len", unsigned(6)))))),
            Malformed,
            "w: number too",
        ),
        (
            "a block of four dimensions",
            scheme(("block", block(mapping(("storage", numbers(1, 1, 1, 1)), ("len", unsigned(1)))))),
            Malformed,
            "w: impossible block",
        ),
        (
            "bytes for a block's extents",
            scheme(("block", block(mapping(("storage", blob(b"\1\1\1\1\1")), ("len", unsigned(1)))))),
            Malformed,
            "w: wrong type",
        ),
        (
            "a block without extents",
            scheme(("block", block(mapping(("len", unsigned(1)))))),
            Malformed,
            "w: impossible",
        ),
        (
            "a block without a length",
            scheme(("block", block(mapping(("storage", numbers(1, 1, 1, 1, 1)))))),
            Malformed,
            "w: impossible",
        ),
        (
            "two forms at once",
            scheme(("level", text("Tensor")), ("param", F32)),
            Malformed,
            "w: a scheme in two forms",
        ),
        (
            "a level besides",
            scheme(("level", mapping(("Block", size)))),
            Malformed,
            "w: a scheme in two forms",
        ),
        ("a param besides", scheme(("param", F32)), Malformed, "w: a scheme in two forms"),
        ("a number for a key", mapping((unsigned(1), unsigned(1))), Malformed, "expected text"),
    ]
    rows.extend(_twice(("value", text("Q8S")), ("store", text("Native")), ("mode", text("Symmetric"))))
    rows.extend(_twice(("value", text("Q8S")), ("tensor", NULL), ("block", NULL)))
    return [(what, with_scheme(item), error, words) for what, item, error, words in rows]


def _twice(*pairs):
    rows = []
    for pair in pairs:
        what = "%s of a scheme twice" % pair[0]
        rows.append(
            (what, mapping(*(list(pairs) + [pair])), DuplicateName, "%s: the same key twice" % pair[0])
        )
    return rows


def of_old_schemes():
    size = block_size(4)
    rows = [
        (
            "an old scheme without a level",
            old_scheme(("level", None)),
            Malformed,
            "w: the scheme has no level",
        ),
        (
            "an old scheme without a param",
            old_scheme(("param", None)),
            Malformed,
            "w: the scheme has no param",
        ),
        (
            "an old scheme without a store",
            old_scheme(("store", None)),
            Malformed,
            "w: the scheme has no store",
        ),
        (
            "an old scheme and a null block",
            old_scheme(("block", NULL)),
            Malformed,
            "w: a scheme in two forms",
        ),
        (
            "an old scheme and a null tensor",
            old_scheme(("tensor", NULL)),
            Malformed,
            "w: a scheme in two forms",
        ),
        (
            "an old scheme and a block",
            old_scheme(("block", block(size))),
            Malformed,
            "w: a scheme in two forms",
        ),
        ("an unknown level", old_scheme(("level", text("Block"))), Malformed, "w: unknown name"),
        (
            "an unknown kind of level",
            old_scheme(("level", mapping(("Group", size)))),
            Malformed,
            "w: unknown level",
        ),
        ("an empty level", old_scheme(("level", mapping())), Malformed, "w: an empty level"),
        ("a null level", old_scheme(("level", NULL)), Malformed, "w: wrong type"),
        ("a null param", old_scheme(("param", NULL)), Malformed, "w: wrong type"),
        ("an unknown param", old_scheme(("param", text("I8"))), Malformed, "w: unknown name"),
        (
            "a number for a block",
            old_scheme(("level", mapping(("Block", unsigned(4))))),
            Malformed,
            "w: wrong type",
        ),
        ("a store of no release", old_scheme(("store", text("U8"))), Malformed, "w: unknown name"),
    ]
    rows.extend(_twice(("param", F32), ("level", text("Tensor"))))
    return [(what, with_scheme(item), error, words) for what, item, error, words in rows]


def of_scalars():
    rows = [
        ("an empty scalar", mapping(), Malformed, "s: an empty scalar"),
        ("an unknown kind", mapping(("Text", text("a"))), Malformed, "s: unknown kind of scalar"),
        (
            "two kinds",
            mapping(("Int", unsigned(1)), ("UInt", unsigned(1))),
            Malformed,
            "s: a scalar of more than one",
        ),
        ("a kind twice", mapping(("Int", unsigned(1)), ("Int", unsigned(1))), DuplicateName, "Int"),
        ("an Int too large", mapping(("Int", unsigned(1 << 63))), Malformed, "s: a scalar out of range"),
        (
            "an Int too small",
            mapping(("Int", negative(-(1 << 63) - 1))),
            Malformed,
            "s: a scalar out of range",
        ),
        ("a negative UInt", mapping(("UInt", negative(-1))), Malformed, "s: a scalar out of range"),
        ("a float for an Int", mapping(("Int", HALF_ONE)), Malformed, "s: wrong type"),
        ("a boolean for a UInt", mapping(("UInt", TRUE)), Malformed, "s: wrong type"),
        ("a bignum for a UInt", mapping(("UInt", BIGNUM)), Malformed, "s: wrong type"),
        ("a number for a Float", mapping(("Float", unsigned(1))), Malformed, "s: wrong type"),
        ("null for a Float", mapping(("Float", NULL)), Malformed, "s: wrong type"),
        ("a text for a Float", mapping(("Float", text("1"))), Malformed, "s: wrong type"),
        ("a number for a Bool", mapping(("Bool", unsigned(1))), Malformed, "s: wrong type"),
        ("null for a Bool", mapping(("Bool", NULL)), Malformed, "s: wrong type"),
        ("a float for a Bool", mapping(("Bool", HALF_ONE)), Malformed, "s: wrong type"),
        ("a plain number", unsigned(1), Malformed, "s: wrong type"),
        ("a number for a kind", mapping((unsigned(1), unsigned(1))), Malformed, "expected text"),
        ("null", NULL, Malformed, "s: wrong type"),
    ]
    found = [(what + " for a scalar", with_scalar(item), error, words) for what, item, error, words in rows]
    one_more = ("s", mapping(("Int", unsigned(1))))
    twice = container(sections([], ("scalars", mapping(one_more, one_more))))
    return found + [("a scalar twice", twice, DuplicateName, "s: the same key twice")]
