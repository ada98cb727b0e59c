"""Two storages in one place: their entries overlap."""

import struct

from kit.pytorch import pickles as p

EXPECTED = "Malformed"
WORDS = ("overlaps",)


def build():
    """The first record's sizes reach over the second."""
    tensors = p.a_dict({"a": p.tensor("0", 40), "b": p.tensor("1", 4)})
    data = bytearray(p.checkpoint(tensors, {"0": bytes(16), "1": bytes(16)}))
    entry = data.rfind(b"archive/data/0") - 46
    struct.pack_into("<II", data, entry + 20, 160, 160)
    return bytes(data)
