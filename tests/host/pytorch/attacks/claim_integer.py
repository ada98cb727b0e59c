"""An integer that claims 2 GiB."""

from kit.pytorch import pickles as p

EXPECTED = "Truncated"
WORDS = (str((1 << 31) - 1),)


def build():
    """LONG4."""
    return p.checkpoint(b"\x8b\xff\xff\xff\x7f\x01")
