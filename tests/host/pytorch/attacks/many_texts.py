"""Four million short texts, each of which takes four bytes of the file and 60 of memory."""

from kit.pytorch import pickles as p

EXPECTED = "LimitExceeded"
WORDS = ("too many objects",)


def build():
    """["ab", "ab", ...]."""
    return p.checkpoint(b"](" + b"U\x02ab" * 4_000_000 + b"e")
