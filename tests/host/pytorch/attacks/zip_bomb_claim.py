"""A packed pickle of a few bytes that claims a gigabyte."""

import struct
import zipfile

from kit.pytorch import pickles as p

EXPECTED = "Malformed"
WORDS = ("more bytes than it can hold", str(1 << 30))


def build():
    """The size in the directory, changed."""
    data = bytearray(p.archive({"data.pkl": p.pickled(b"N")}, zipfile.ZIP_DEFLATED))
    struct.pack_into("<I", data, data.find(b"PK\x01\x02") + 24, 1 << 30)
    return bytes(data)
