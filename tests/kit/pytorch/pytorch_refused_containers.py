"""Damaged and contradictory legacy files, tar archives and bare pickles: each with the error that refuses it,
and words of its text."""

import struct

from burnpack.errors import DuplicateName, LimitExceeded, Malformed, Truncated, Unsupported
from kit.pytorch import pickles as p
from kit.pytorch.pytorch_refused import torch


def legacy(*arguments, **keywords):
    """A legacy checkpoint with a tensor "w" of 4 elements over the storage "7"."""
    storages = keywords.pop("storages", {"7": (4, bytes(16))})
    return p.legacy(p.a_dict({"w": p.legacy_tensor("7", 4, *(arguments or ((4,),)))}), storages, **keywords)


TWO = p.a_dict({"a": p.legacy_tensor("1", 2, (2,)), "b": p.legacy_tensor("2", 3, (3,))})
LEGACY = [
    ("another number for a start", legacy(magic=5), Malformed, ("behind the pickle",)),
    ("another version", legacy(version=1002), Unsupported, ("1001", "1002")),
    ("no list of storages", legacy(keys=[])[:-24], Malformed, ("w", "no such storage", "7")),
    ("another key in the list", legacy(keys=["8"]), Malformed, ("8", "does not describe")),
    (
        "one key twice in the list",
        legacy(keys=["7", "7"], storages={"7": (4, bytes(16)), "x": (4, bytes(16))}),
        Malformed,
        ("key",),
    ),
    ("a count that is negative", legacy(storages={"7": (-4, bytes(16))}), Malformed, ("negative", "-4")),
    ("a count below the pickle's", legacy(storages={"7": (3, bytes(12))}), Malformed, ("w", "16", "12")),
    ("a count above the pickle's", legacy(storages={"7": (5, bytes(20))}), Malformed, ("w", "16", "20")),
    ("a count of 2^62", legacy(storages={"7": (1 << 62, bytes(16))}), Truncated, ("storage 7", str(1 << 64))),
    ("a storage that is cut short", legacy()[:-1], Truncated, ("storage 7", "16", "15")),
    ("a count that is cut short", legacy()[:-17], Truncated, ("storage 7",)),
    ("a part past the end", legacy((3,), ("8", 2, 3)), Malformed, ("w", "storage 7", "16")),
    ("a part with a negative offset", legacy((3,), ("8", -1, 3)), Malformed, ("part",)),
    ("a tensor past the end of its part", legacy((3,), ("8", 1, 2)), Malformed, ("w", "8 bytes", "12")),
]


def described(*fields):
    """A pickle of a tuple, as tar members have them."""
    return p.pickled(p.a_tuple(*fields))


def tar(storages=None, tensors=None, pickle=None, **more):
    """A tar checkpoint with a tensor of 4 elements over one storage; each member may be another."""
    storage = described(1, "cpu", torch("FloatStorage")) + struct.pack("<q", 4) + bytes(16)
    tensor = described(2, 1, torch("FloatTensor")) + struct.pack("<iiqqq", 1, 0, 4, 1, 0)
    one, nothing = p.pickled(p.integer(1)), p.pickled(b"]")
    members = {
        "sys_info": p.pickled(b"}"),
        "storages": one + storage + nothing if storages is None else storages,
        "tensors": one + tensor if tensors is None else tensors,
        "pickle": p.pickled(p.a_dict({"w": p.text("2") + b"Q"})) if pickle is None else pickle,
    }
    return p.tar({name: data for name, data in {**members, **more}.items() if data != b"absent"})


ONE = p.pickled(p.integer(1))
TAR = [
    ("no storages", tar(storages=b"absent"), Malformed, ("storages",)),
    ("an empty member", tar(storages=b""), Truncated, ("pickle",)),
    ("a number of storages that is none", tar(storages=p.pickled(p.text("1"))), Malformed, ("how many",)),
    ("2^40 storages", tar(storages=p.pickled(p.integer(1 << 40))), LimitExceeded, (str(1 << 40),)),
    (
        "a storage of no class",
        tar(storages=ONE + described(1, "cpu", "FloatStorage")),
        Unsupported,
        ("storage class",),
    ),
    (
        "a storage that is cut short",
        tar(storages=ONE + described(1, "cpu", torch("FloatStorage")) + struct.pack("<q", 4)),
        Truncated,
        ("storage 1", "16"),
    ),
    (
        "a tensor of an unknown storage",
        tar(tensors=ONE + described(2, 9, torch("FloatTensor")) + bytes(32)),
        Malformed,
        ("storage 9",),
    ),
    (
        "a tensor of 2^31 - 1 dimensions",
        tar(tensors=ONE + described(2, 1, torch("FloatTensor")) + struct.pack("<ii", (1 << 31) - 1, 0)),
        Malformed,
        ("dimensions",),
    ),
    (
        "a tensor past its storage",
        tar(tensors=ONE + described(2, 1, torch("FloatTensor")) + struct.pack("<iiqqq", 1, 0, 5, 1, 0)),
        Malformed,
        ("w", "16", "20"),
    ),
    (
        "a tensor that is cut short",
        tar(tensors=ONE + described(2, 1, torch("FloatTensor")) + struct.pack("<iiq", 1, 0, 5)),
        Truncated,
        ("tensor",),
    ),
    (
        "a tensor with a storage's number",
        tar(tensors=ONE + described(1, 1, torch("FloatTensor")) + struct.pack("<iiqqq", 1, 0, 4, 1, 0)),
        DuplicateName,
        ("1",),
    ),
    (
        "a reference to nothing",
        tar(pickle=p.pickled(p.a_dict({"w": p.text("3") + b"Q"}))),
        Malformed,
        ("refers",),
    ),
    (
        "a reference that is no number",
        tar(pickle=p.pickled(p.a_dict({"w": p.text("x") + b"Q"}))),
        Malformed,
        ("no number",),
    ),
]


def packed(data):
    """A bare pickle with a storage of its own: a legacy file, as bytes."""
    unpack = p.name("torch.storage", "_load_from_bytes")
    return p.pickled(p.a_dict({"w": p.call(unpack, p.raw(data))}))


BARE = [
    ("a storage that is none", packed(p.legacy(p.integer(1), {})), Malformed, ("no storage",)),
    ("a storage in another container", packed(b"PK"), Truncated, ("pickle",)),
    ("a storage elsewhere", p.pickled(p.a_dict({"w": p.storage("0", 4)})), Malformed, ("does not hold",)),
    ("something behind the pickle", p.pickled(p.a_dict({})) + b"N.", Malformed, ("behind the pickle",)),
]
