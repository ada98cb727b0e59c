"""Containers that were put together without this package: read as their maker says, written the same."""

import json
import struct

from burnpack.descriptor import dtype_value
from burnpack.errors import Truncated
from burnpack.reader import Reader
from burnpack.writer import Writer
from kit import support

NAMES = ("today", "bare_bool", "old_scheme", "packed")


def container(name):
    return support.read(support.path("tests/vectors/burnpack_basic/%s.bpk" % name))


def expectations():
    expected = json.loads(support.read(support.path("tests/vectors/burnpack_basic/expected.json")))
    assert sorted(expected) == sorted(NAMES)
    return expected


def plain(value):
    """Return lists of pairs as dicts, as JSON has them."""
    if isinstance(value, list):
        if value and isinstance(value[0], tuple):
            return dict([(key, plain(item)) for key, item in value])
        return [plain(item) for item in value]
    return value


def held(tensor):
    return (tensor.name, plain(dtype_value(tensor.dtype)), list(tensor.shape), tensor.param_id)


def test_each_holds_what_its_maker_put_in():
    expected = expectations()
    for name in NAMES:
        check(Reader.from_static(container(name)), expected[name])
        with open(support.path("tests/vectors/burnpack_basic/%s.bpk" % name), "rb") as file:
            check(Reader.from_stream(file), expected[name])


def check(reader, expected):
    assert reader.dialect == expected["dialect"]
    assert reader.metadata() == [tuple(pair) for pair in expected["metadata"]]
    assert [[name, kind, bits(value)] for name, (kind, value) in reader.scalars()] == expected["scalars"]
    assert sorted(reader.names()) == sorted([row["name"] for row in expected["tensors"]])
    rows = expected["tensors"]
    for tensor, row in zip(reader, rows):
        assert held(tensor) == (row["name"], row["dtype"], row["shape"], row["param_id"])
        data = tensor.data()
        assert list(data) == octets(row["hex"]), row["name"]
        assert reader.span(row["name"]) == (row["offset"], row["offset"] + len(data))
        assert tensor.nbytes == len(data) and bytes(reader.view(row["name"])) == bytes(data)
    assert len(reader) == len(rows) > 0


def bits(value):
    return octets_as_hex(struct.pack(">d", value)) if isinstance(value, float) else value


def octets(digits):
    return [int(digits[at : at + 2], 16) for at in range(0, len(digits), 2)]


def octets_as_hex(data):
    return "".join(["%02x" % byte for byte in data])


def test_todays_is_written_again_byte_for_byte():
    reader = Reader.from_static(container("today"))
    assert Writer(reader, reader.metadata(), reader.scalars()).to_bytes() == container("today")


def test_older_ones_are_written_as_todays_with_everything_kept():
    for name in NAMES[1:]:
        old = Reader.from_static(container(name))
        new = Reader.from_static(Writer(old, old.metadata(), old.scalars()).to_bytes())
        assert new.dialect == "0.22" and new.metadata() == old.metadata()
        assert [held(tensor) for tensor in new] == [held(tensor) for tensor in old]
        assert [bytes(tensor.data()) for tensor in new] == [bytes(tensor.data()) for tensor in old]
        assert [new.span(tensor)[0] % 256 for tensor in new.names()] == [0] * len(old)


def test_every_shorter_prefix_is_truncated():
    for name in NAMES[1:]:
        view = memoryview(container(name))
        for length in support.some(len(view)):
            support.raises(Truncated, Reader.from_static, view[:length])
    view = memoryview(container("today"))
    for length in range(0, len(view), 97):
        support.raises(Truncated, Reader.from_static, view[:length])
    support.raises(Truncated, Reader.from_static, view[: len(view) - 1])
