"""Ten million empty lists."""

from kit.pytorch import pickles as p

EXPECTED = "LimitExceeded"
WORDS = ("too many objects",)


def build():
    """[], [], ..."""
    return p.checkpoint(b"(" + b"]" * 10_000_000 + b"l")
