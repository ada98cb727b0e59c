"""A number of half a million digits."""

from kit.pytorch import pickles as p

EXPECTED = "Malformed"
WORDS = ("damaged",)


def build():
    """LONG."""
    return p.checkpoint(b"L" + b"9" * 500_000 + b"L\n")
