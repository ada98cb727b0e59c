"""A memo numbered 2^32 - 1, for which Python's compiled unpickler makes room."""

from kit.pytorch import pickles as p

EXPECTED = "LimitExceeded"
WORDS = (str((1 << 32) - 1),)


def build():
    """LONG_BINPUT."""
    return p.checkpoint(b"Nr\xff\xff\xff\xff")
