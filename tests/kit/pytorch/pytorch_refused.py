"""Damaged and contradictory zip checkpoints: each with the error that refuses it, and words of its text."""

import struct
import zipfile

from burnpack.errors import DuplicateName, LimitExceeded, Malformed, Truncated, UnknownFormat, Unsupported
from kit.pytorch import pickles as p


def one(*arguments, **keywords):
    """A checkpoint with one tensor "w" over a storage of 16 bytes."""
    return p.checkpoint(p.a_dict({"w": p.tensor("0", *arguments, **keywords)}), {"0": bytes(16)})


def rebuilt(function, *arguments):
    """A checkpoint whose one tensor "w" is made by a function of torch._utils."""
    made = p.call(p.name("torch._utils", function), *arguments)
    return p.checkpoint(p.a_dict({"w": made}), {"0": bytes(16)})


def torch(name):
    return p.name("torch", name)


def edited(data, *changes):
    """Change an archive's headers: (signature of the headers, offset in each, format, number)."""
    data = bytearray(data)
    for signature, offset, form, number in changes:
        position = data.find(signature)
        while position >= 0:
            struct.pack_into(form, data, position + offset, number)
            position = data.find(signature, position + 4)
    return bytes(data)


HEADER, ENTRY = b"PK\x03\x04", b"PK\x01\x02"
GOOD = p.checkpoint(p.a_dict({"w": p.tensor("0", 4)}), {"0": bytes(16)})
PACKED = p.checkpoint(p.a_dict({"w": p.tensor("0", 4)}), {"0": bytes(16)}, zipfile.ZIP_DEFLATED)
QUANTIZER = p.a_tuple(torch("per_tensor_affine"), 1, 0)
V3 = (p.storage("0", 16, "UntypedStorage"), 0, p.a_tuple(4), p.a_tuple(1), False, p.ordered_dict())

REFUSED = [
    # the storages
    ("a record is missing", p.checkpoint(p.a_dict({"w": p.tensor("0", 4)})), Malformed, ("w", "data/0")),
    (
        "a record is renamed",
        p.checkpoint(p.a_dict({"w": p.tensor("0", 4)}), {"1": bytes(16)}),
        Malformed,
        ("w", "data/0"),
    ),
    (
        "a record is cut short",
        p.checkpoint(p.a_dict({"w": p.tensor("0", 4)}), {"0": bytes(15)}),
        Malformed,
        ("w", "data/0", "16", "15"),
    ),
    (
        "a record is too long",
        p.checkpoint(p.a_dict({"w": p.tensor("0", 4)}), {"0": bytes(20)}),
        Malformed,
        ("w", "data/0", "16", "20"),
    ),
    (
        "a record that no tensor uses is missing",
        p.checkpoint(p.a_dict({"a": p.a_dict({"b": p.storage("7", 4)})})),
        Malformed,
        ("data/7",),
    ),
    ("a count is negative", one(-4, (4,)), Malformed, ("number of elements",)),
    ("a count is beyond 63 bits", one(1 << 63, (4,)), Malformed, ("number of elements",)),
    ("a count is no number", one("4", (4,)), Malformed, ("number of elements",)),
    (
        "one storage is described twice, differently",
        p.checkpoint(p.a_dict({"a": p.tensor("0", 4), "b": p.tensor("0", 2)}), {"0": bytes(16)}),
        Malformed,
        ("storage 0", "16", "8"),
    ),
    (
        "one storage has two dtypes",
        p.checkpoint(
            p.a_dict({"a": p.tensor("0", 4), "b": p.tensor("0", 4, kind="IntStorage")}), {"0": bytes(16)}
        ),
        Malformed,
        ("storage 0",),
    ),
    # the tensors in them
    ("an offset is past the end", one(4, (1,), offset=4), Malformed, ("w", "storage 0", "16", "20")),
    ("an offset is negative", one(4, (1,), offset=-1), Malformed, ("w", "offset")),
    ("an offset is huge", one(4, (1,), offset=1 << 63), Malformed, ("w", "offset")),
    ("a shape leaves the storage", one(4, (5,)), Malformed, ("w", "16", "20")),
    ("a stride leaves the storage", one(4, (2, 2), (3, 1)), Malformed, ("w", "16", "20")),
    ("a stride is negative", one(4, (2,), (-1,)), Malformed, ("w", "no size")),
    ("an extent is negative", one(4, (-2,), (1,)), Malformed, ("w", "no size")),
    ("an extent is a bool", one(4, (True,), (1,)), Malformed, ("w", "no size")),
    ("an extent is a text", one(4, ("2",), (1,)), Malformed, ("w", "no size")),
    ("a stride is missing", one(4, (2, 2), (1,)), Malformed, ("w", "stride")),
    ("a product overflows 64 bits", one(4, (1 << 32, 1 << 32), (0, 0)), LimitExceeded, ("w", str(1 << 66))),
    (
        "32 elements as 2^21 times 2^21",
        p.checkpoint(p.a_dict({"w": p.tensor("0", 32, (1 << 21, 1 << 21), (0, 0))}), {"0": bytes(128)}),
        LimitExceeded,
        ("w", str(1 << 44)),
    ),
    (
        "eleven times one element as 1 GiB",
        p.checkpoint(
            p.a_dict({f"w{n}": p.tensor("0", 4, (1 << 28,), (0,)) for n in range(11)}), {"0": bytes(16)}
        ),
        LimitExceeded,
        ("together", "expanded", "16 bytes"),
    ),
    ("65 dimensions", one(4, (1,) * 65), Malformed, ("64",)),
    # each way to rebuild
    (
        "_rebuild_tensor leaves the storage",
        rebuilt("_rebuild_tensor", p.storage("0", 4), 1, p.a_tuple(4), p.a_tuple(1)),
        Malformed,
        ("w", "16", "20"),
    ),
    (
        "_rebuild_tensor_v3 leaves the storage",
        rebuilt("_rebuild_tensor_v3", *V3, torch("int64")),
        Malformed,
        ("w", "16", "32"),
    ),
    (
        "a Parameter leaves the storage",
        rebuilt("_rebuild_parameter", p.tensor("0", 4, (5,)), True, p.ordered_dict()),
        Malformed,
        ("w", "16", "20"),
    ),
    ("too few arguments", rebuilt("_rebuild_tensor_v2", p.storage("0", 4)), Malformed, ("6", "1")),
    (
        "no storage",
        rebuilt("_rebuild_tensor", "0", 1, p.a_tuple(4), p.a_tuple(1)),
        Malformed,
        ("storage", "str"),
    ),
    (
        "a Parameter of no tensor",
        rebuilt("_rebuild_parameter", 3, True, p.ordered_dict()),
        Malformed,
        ("tensor",),
    ),
    (
        "an unknown flag",
        rebuilt(
            "_rebuild_tensor_v2",
            p.storage("0", 4),
            0,
            p.a_tuple(4),
            p.a_tuple(1),
            False,
            p.ordered_dict(),
            p.a_dict({"lazy": True}),
        ),
        Malformed,
        ("lazy",),
    ),
    # kinds that are not read
    # names
    (
        "two paths of one name",
        p.checkpoint(
            p.a_dict({"a": p.a_dict({"b": p.tensor("0", 4)}), "a.b": p.tensor("0", 4)}), {"0": bytes(16)}
        ),
        DuplicateName,
        ("a.b", "['a']['b']", "['a.b']"),
    ),
    (
        "a number and its text",
        p.checkpoint(p.a_dict({0: p.tensor("0", 4), "0": p.tensor("0", 4)}), {"0": bytes(16)}),
        DuplicateName,
        ("[0]", "['0']"),
    ),
    (
        "one key twice",
        p.checkpoint(p.a_dict([("w", p.tensor("0", 4)), ("w", p.tensor("0", 4))]), {"0": bytes(16)}),
        DuplicateName,
        ("w",),
    ),
    (
        "a tuple in a tuple for a key",
        p.checkpoint(p.a_dict([(p.a_tuple(1, p.a_tuple(2)), p.tensor("0", 4))]), {"0": bytes(16)}),
        Unsupported,
        ("tuple",),
    ),
    (
        "half a surrogate",
        p.checkpoint(p.a_dict({"\ud800": p.tensor("0", 4)}), {"0": bytes(16)}),
        Malformed,
        ("no valid text",),
    ),
    (
        "a name of 70,000 letters",
        p.checkpoint(p.a_dict({"w" * 70_000: p.tensor("0", 4)}), {"0": bytes(16)}),
        LimitExceeded,
        ("65536",),
    ),
    # the archive
    ("no pickle", p.archive({"other": b"x"}), UnknownFormat, ("data.pkl",)),
    (
        "two checkpoints",
        p.archive({"a/data.pkl": b".", "b/data.pkl": b"."}, top=""),
        Malformed,
        ("a/data.pkl", "b/data.pkl"),
    ),
    (
        "two records of one name",
        p.archive([("data.pkl", p.pickled(b"N")), ("data/0", b"a"), ("data/0", b"b")]),
        DuplicateName,
        ("data/0",),
    ),
    (
        "an unknown byte order",
        p.checkpoint(p.a_dict({}), byteorder=b"middle"),
        Malformed,
        ("byteorder", "middle"),
    ),
    (
        "a byte order of 5000 letters",
        p.checkpoint(p.a_dict({}), byteorder=b"x" * 5000),
        Malformed,
        ("byteorder", "5000"),
    ),
    ("encrypted", edited(GOOD, (ENTRY, 8, "<H", 1)), Unsupported, ("encrypted", "byteorder")),
    (
        "another compression",
        edited(GOOD, (ENTRY, 10, "<H", 12), (HEADER, 8, "<H", 12)),
        Unsupported,
        ("compression",),
    ),
    ("a header of another method", edited(GOOD, (HEADER, 8, "<H", 8)), Malformed, ("disagree",)),
    (
        "a header of another name",
        GOOD.replace(b"archive/data/0", b"archive/data/1", 1),
        Malformed,
        ("disagree",),
    ),
    ("a header elsewhere", edited(GOOD, (ENTRY, 42, "<I", 1)), Malformed, ("disagree",)),
    ("a header outside", edited(GOOD, (ENTRY, 42, "<I", 1 << 30)), Malformed, ("outside",)),
    (
        "a record over the next",
        edited(GOOD, (ENTRY, 20, "<I", 99), (ENTRY, 24, "<I", 99)),
        Malformed,
        ("overlaps",),
    ),
    ("two sizes of a stored record", edited(GOOD, (ENTRY, 24, "<I", 3)), Malformed, ("two sizes",)),
    (
        "more than can be packed",
        edited(PACKED, (ENTRY, 24, "<I", 1 << 30)),
        Malformed,
        ("can hold", "byteorder"),
    ),
    (
        "a packed pickle of another size",
        edited(PACKED, (ENTRY, 24, "<I", 6)),
        Malformed,
        ("damaged", "data.pkl"),
    ),
    ("no zip directory", GOOD[:-30], Truncated, ("cut short",)),
    # the pickle
    ("no pickle at all", p.archive({"data.pkl": b""}), Truncated, ("the pickle",)),
    ("no end", p.archive({"data.pkl": p.pickled(b"N")[:-1]}), Truncated, ("the pickle",)),
    ("an unknown operation", p.checkpoint(b"\xff"), Malformed, ("unknown operation", "byte 2")),
    ("an unknown protocol", p.archive({"data.pkl": b"\x80\x09N."}), Malformed, ("protocol",)),
    ("a memo that was not made", p.checkpoint(b"h\x05"), Malformed, ("memo 5",)),
    ("a module alone", p.checkpoint(p.call(p.name("torch.nn", "Linear"))), Unsupported, ("torch.nn.Linear",)),
    ("an object in itself", p.checkpoint(b"}q\x00X\x01\x00\x00\x00ah\x00s"), Malformed, ("itself", "['a']")),
    ("nested 200 deep", p.checkpoint(b"]" * 200 + b"a" * 199), LimitExceeded, ("nested", "128")),
]

# Tensors that are there and can't be read: refused when they are asked for, and not when the file is opened.
UNREAD = [
    ("a storage class is unknown", one(4, kind="NoStorage"), Unsupported, ("torch.NoStorage",)),
    ("one element as 2 GiB", one(4, (1 << 29,), (0,)), LimitExceeded, ("w", "expanded")),
    (
        "_rebuild_tensor_v3 has an unknown dtype",
        rebuilt("_rebuild_tensor_v3", *V3, torch("int3")),
        Unsupported,
        ("torch.int3",),
    ),
    (
        "a quantized tensor",
        rebuilt(
            "_rebuild_qtensor",
            p.storage("0", 16, "QUInt2x4Storage"),
            0,
            p.a_tuple(4),
            p.a_tuple(1),
            QUANTIZER,
            False,
            p.ordered_dict(),
        ),
        Unsupported,
        ("w", "quantized"),
    ),
    ("a quantized storage", one(4, kind="QInt32Storage"), Unsupported, ("w", "quantized", "QInt32")),
    (
        "a sparse tensor",
        rebuilt("_rebuild_sparse_tensor", torch("sparse_coo"), p.a_tuple()),
        Unsupported,
        ("w", "sparse"),
    ),
    ("a nested tensor", rebuilt("_rebuild_nested_tensor", p.a_tuple()), Unsupported, ("w", "nested")),
    (
        "a meta tensor",
        rebuilt("_rebuild_meta_tensor_no_storage", torch("float32"), p.a_tuple(4), p.a_tuple(1), False),
        Unsupported,
        ("w", "meta"),
    ),
]
