"""A number of ten million digits, which takes minutes to convert."""

from kit.pytorch import pickles as p

EXPECTED = "LimitExceeded"
WORDS = ("line",)


def build():
    """INT."""
    return p.checkpoint(b"I" + b"9" * 10_000_000 + b"\n")
