"""Three million empty sets, which take more memory than anything else of one byte."""

from kit.pytorch import pickles as p

EXPECTED = "LimitExceeded"
WORDS = ("too many objects",)


def build():
    """set(), set(), ..."""
    return p.checkpoint(b"(" + b"\x8f" * 3_000_000 + b"l")
