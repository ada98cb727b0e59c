"""The reader of ROMFS images trusts no image."""

import pytest
from hypothesis import given
from hypothesis import strategies as some

from burnpack.errors import BurnpackError, DuplicateName, LimitExceeded, Malformed, Truncated, UnknownFormat
from burnstore.boards.images import romfs
from burnstore.boards.images.romfs import parse_image
from burnstore.boards.images.romfs_writer import File, Folder, varuint, write_image
from kit import support
from kit.examples import examples
from kit.formats.romfs_images import check_mounted, content_of, joined


def image(*records):
    content = b"".join(records)
    return romfs.MAGIC + varuint(len(content), 5) + content


def record(kind, content, size=None):
    return varuint(kind) + varuint(len(content) if size is None else size) + content


def named(kind, name, *records):
    return record(kind, varuint(len(name)) + name + b"".join(records))


DATA = record(romfs.DATA, b"data")
GOOD = named(romfs.FILE, b"a", DATA)


def nested(depth):
    found = GOOD
    for _ in range(depth):
        found = named(romfs.DIRECTORY, b"d", found)
    return found


def pointer(size, offset):
    return named(romfs.FILE, b"p", record(romfs.POINTER, varuint(size) + varuint(offset)))


# what is wrong: the image, and the error
HOSTILE = {
    "empty": (b"", Truncated),
    "not an image": (b"not an image", UnknownFormat),
    "kind 0": (image(b"\x00\x00"), Malformed),
    "zeros at the end": (image(GOOD, bytes(8)), Malformed),
    "a number over 32 bits": (image(b"\x05\xff\xff\xff\xff\xff\x7f"), Malformed),
    "a number without an end": (image(b"\xff" * 5000), Malformed),
    "a number of zeros without an end": (image(b"\x80" * 1_000_000 + b"\x05\x00"), Malformed),
    "a kind and no more": (image(b"\x05"), Truncated),
    "a size over the image": (image(record(romfs.FILE, b"\x01a", 1 << 31)), Truncated),
    "a size over its directory": (
        image(named(romfs.DIRECTORY, b"d", record(romfs.FILE, b"\x01a", 9)), GOOD),
        Malformed,
    ),
    "a name over its record": (image(record(romfs.FILE, b"\x7fa"), GOOD), Malformed),
    "a name of no text": (image(named(romfs.FILE, b"\xff", DATA)), Malformed),
    "an empty name": (image(named(romfs.FILE, b"", DATA)), Malformed),
    "a path for a name": (image(named(romfs.FILE, b"a/b", DATA)), Malformed),
    "the folder above": (image(named(romfs.DIRECTORY, b"..", GOOD)), Malformed),
    "a file without data": (image(named(romfs.FILE, b"a")), Malformed),
    "two of one name": (image(GOOD, GOOD), DuplicateName),
    "too deep": (image(nested(40)), LimitExceeded),
    "far too deep": (image(nested(3000)), BurnpackError),
    "a pointer behind the image": (image(pointer(1, 1 << 20)), Malformed),
    "a pointer to too much": (image(pointer(1 << 31, 0)), Malformed),
    "a pointer cut short": (image(named(romfs.FILE, b"p", record(romfs.POINTER, b"\x81"))), BurnpackError),
    "too many records": (image(b"\x01\x00" * 100_001), LimitExceeded),
}


@pytest.mark.parametrize("case", HOSTILE)
def test_a_hostile_image_is_refused(case):
    data, error_class = HOSTILE[case]
    support.raises(error_class, parse_image, memoryview(data))


def test_each_prefix_of_an_image_is_truncated():
    whole = image(GOOD, named(romfs.DIRECTORY, b"d", named(romfs.FILE, b"b", DATA)), pointer(4, 0))
    assert len(parse_image(memoryview(whole))) == 3
    for size in range(len(whole)):
        support.raises(Truncated, parse_image, memoryview(whole[:size]))


@given(some.binary(max_size=60))
@examples(3)
def test_any_bytes_give_files_or_an_error_of_ours(content):
    try:
        entries = parse_image(memoryview(image(content)))
    except BurnpackError:
        return
    assert all(entry.offset + entry.size <= len(image(content)) for entry in entries)


def test_what_is_legal_and_unusual_is_read_as_micropython_reads_it(tmp_path):
    lengthened = b"\x80" * 200 + varuint(romfs.DATA) + b"\x80\x80" + varuint(4) + b"long"
    unusual = image(
        record(romfs.PADDING, b"a comment"),
        record(99, b"a kind to come"),
        named(romfs.FILE, b"a", record(romfs.PADDING, bytes(9)), record(77, b"?"), lengthened),
        named(romfs.FILE, b"b", record(romfs.POINTER, varuint(2) + varuint(4))),
        named(romfs.FILE, b"c", record(romfs.DATA, b"")),
    )
    data = {"a": b"long", "b": unusual[8 + 4 : 8 + 6], "c": b""}  # a pointer counts from the first record
    assert content_of(unusual + b"what is behind it in the partition") == data
    check_mounted(unusual, data, tmp_path)


def test_too_large_an_image_is_refused_before_it_is_written():
    big = File("a", memoryview(bytes(1)).cast("B"), 16)
    assert len(joined(Folder("", [big]))) > 1

    class Huge(bytes):
        def __len__(self):
            return 1 << 31

    support.raises(LimitExceeded, write_image, Folder("", [File("a", Huge(), 16)]))
