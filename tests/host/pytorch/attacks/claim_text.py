"""A text that claims 2^62 bytes."""

from kit.pytorch import pickles as p

EXPECTED = "Truncated"
WORDS = (str(1 << 62),)


def build():
    """BINUNICODE8."""
    return p.checkpoint(b"\x8d" + (1 << 62).to_bytes(8, "little") + b"abc")
