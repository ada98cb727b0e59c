"""Burnpack containers that no reader may take, for their CBOR: text, heads, and counts that claim too much.

Tables as in `burnpack_refused`.
"""

from burnpack.errors import Malformed, Truncated
from kit.formats.burnpack_by_hand import container, descriptor, sections
from kit.formats.cbor_by_hand import (
    ARRAY,
    BREAK,
    BYTES,
    MAP,
    NEGATIVE,
    NULL,
    SIMPLE,
    TAG,
    TEXT,
    UNSIGNED,
    blob,
    head,
    mapping,
    opened,
    opened_mapping,
    text,
    unsigned,
)

HUGE = (1 << 32, 1 << 63, (1 << 64) - 1)
NOT_UTF8 = (
    b"\x80",
    b"\xbf",
    b"\xc0\x80",
    b"\xc1\xbf",
    b"\xe0\x80\x80",
    b"\xe0\x9f\xbf",
    b"\xf0\x80\x80\x80",
    b"\xf0\x8f\xbf\xbf",
    b"\xed\xa0\x80",
    b"\xed\xbf\xbf",
    b"\xed\xa0\xbd\xed\xb4\xa5",
    b"\xf4\x90\x80\x80",
    b"\xf5\x80\x80\x80",
    b"\xf8\x88\x80\x80\x80",
    b"\xfe",
    b"\xff",
    b"\xc3",
    b"\xe2\x82",
    b"\xf0\x9f\x94",
    b"\xc3A",
    b"\xe2\x82A",
    b"ok\xc3\xa9\xff",
)


def refused():
    """Return all of them."""
    return of_text() + of_heads() + of_huge_claims()


def of_text():
    rows = []
    scalar = mapping(("Int", unsigned(1)))
    for encoded in NOT_UTF8:
        name = text(encoded)
        places = (
            ("name", sections([(name, descriptor())])),
            ("metadata key", sections([("w", descriptor())], ("metadata", mapping((name, text("b")))))),
            ("metadata value", sections([("w", descriptor())], ("metadata", mapping(("a", name))))),
            ("scalar's name", sections([("w", descriptor())], ("scalars", mapping((name, scalar))))),
        )
        for where, metadata in places:
            rows.append(
                ("%r for a %s" % (encoded, where), container(metadata, b"\x07"), Malformed, "not UTF-8")
            )
    chunks = (
        ("a letter cut in two chunks", opened(TEXT) + text(b"\xc3") + text(b"\xa9") + BREAK, "not UTF-8"),
        ("bytes among the chunks of a text", opened(TEXT) + text("w") + blob(b"w") + BREAK, "expected text"),
        ("a number among the chunks of a text", opened(TEXT) + unsigned(1) + BREAK, "expected text"),
        ("an open text in an open text", opened(TEXT) + opened(TEXT) + text("w") + BREAK + BREAK, "chunk"),
    )
    for what, name, words in chunks:
        rows.append((what, container(sections([(name, descriptor())]), b"\x07"), Malformed, words))
    return rows


def of_heads():
    rows = []
    for major in (UNSIGNED, NEGATIVE, BYTES, TEXT, ARRAY, MAP, TAG, SIMPLE):
        for information in (28, 29, 30, 31):
            if information == 31 and major in (BYTES, TEXT, ARRAY, MAP):
                continue
            item = bytes((major << 5 | information,))
            words = "reserved head or stray break"
            rows.append(
                ("head %02x for a value" % item[0], container(mapping(("tensors", item))), Malformed, words)
            )
            rows.append(
                ("head %02x in what is skipped" % item[0], container(mapping(("x", item))), Malformed, words)
            )
    ends = (
        ("a map that ends after a key", opened(MAP) + text("tensors") + BREAK),
        ("a skipped map that ends after a key", mapping(("x", opened(MAP) + text("y") + BREAK))),
        ("a skipped text with bytes in it", mapping(("x", opened(TEXT) + blob(b"y") + BREAK))),
        ("skipped bytes with text in them", mapping(("x", opened(BYTES) + text("y") + BREAK))),
        ("skipped open bytes in open bytes", mapping(("x", opened(BYTES) + opened(BYTES) + BREAK + BREAK))),
        ("a two-byte head for a one-byte value", mapping(("x", b"\xf8\x14"))),
        ("a break in an array of known length", mapping(("x", head(ARRAY, 1) + BREAK))),
        ("a break in a map of known length", head(MAP, 1) + BREAK + NULL),
        ("a break instead of a tag's item", mapping(("x", head(TAG, 1) + BREAK))),
    )
    rows.extend([(what, container(item), Malformed, "") for what, item in ends])
    unended = (
        ("an open map without an end", opened_mapping(("tensors", mapping()))[:-1]),
        ("open tensors without an end", mapping(("tensors", opened(MAP)))),
        ("an open name without an end", mapping(("tensors", head(MAP, 1) + opened(TEXT) + text("w")))),
        ("a skipped open array without an end", mapping(("x", opened(ARRAY) + unsigned(1)))),
        ("a tag without an item", mapping(("x", head(TAG, 1)))),
        ("half a float", mapping(("x", b"\xfb\x00\x00"))),
    )
    return rows + [(what, container(item), Truncated, "cut short") for what, item in unended]


def of_huge_claims():
    rows = []
    for count in HUGE:
        wide = (
            ("top level", head(MAP, count)),
            ("tensors", mapping(("tensors", head(MAP, count)))),
            ("metadata", mapping(("metadata", head(MAP, count)))),
            ("scalars", mapping(("scalars", head(MAP, count)))),
            ("descriptor", mapping(("tensors", mapping(("w", head(MAP, count)))))),
            ("key", head(MAP, 1) + head(TEXT, count)),
            ("name", mapping(("tensors", head(MAP, 1) + head(TEXT, count) + b"w"))),
            ("skipped array", mapping(("x", head(ARRAY, count)))),
            ("skipped map", mapping(("x", head(MAP, count)))),
            ("skipped text", mapping(("x", head(TEXT, count)))),
            ("skipped bytes", mapping(("x", head(BYTES, count)))),
            ("chunk", mapping(("tensors", head(MAP, 1) + opened(TEXT) + head(TEXT, count)))),
            ("shape", mapping(("tensors", mapping(("w", mapping(("shape", head(ARRAY, count)))))))),
            ("dtype", mapping(("tensors", mapping(("w", mapping(("dtype", head(TEXT, count)))))))),
        )
        for where, item in wide:
            rows.append(
                ("%d claimed for a %s" % (count, where), container(item), Truncated, "metadata is cut short")
            )
    return rows
