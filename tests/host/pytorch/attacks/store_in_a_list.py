"""SETITEM on a list."""

from kit.pytorch import pickles as p

EXPECTED = "Malformed"
WORDS = ("stores in what is no dict", "list")


def build():
    """[][0] = 1."""
    return p.checkpoint(b"]" + p.integer(0) + p.integer(1) + b"s")
