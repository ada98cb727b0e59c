"""Ten million numbers for one value."""

from kit.pytorch import pickles as p

EXPECTED = "LimitExceeded"
WORDS = ("too many operations",)


def build():
    """MEMOIZE, MEMOIZE, ..."""
    return p.checkpoint(b"N" + b"\x94" * 10_000_000)
