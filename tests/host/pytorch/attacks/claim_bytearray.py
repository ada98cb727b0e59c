"""A bytearray that claims 16 GiB, which Python's unpickler makes before it reads."""

from kit.pytorch import pickles as p

EXPECTED = "Truncated"
WORDS = (str(1 << 34),)


def build():
    """BYTEARRAY8."""
    return p.checkpoint(b"\x96" + (1 << 34).to_bytes(8, "little") + b"abc")
