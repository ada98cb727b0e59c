"""Four million short texts, packed into sixteen kilobytes."""

import zipfile

from kit.pytorch import pickles as p

EXPECTED = "LimitExceeded"
WORDS = ("the packed pickle is too large",)


def build():
    """["ab", "ab", ...]."""
    return p.checkpoint(b"](" + b"U\x02ab" * 4_000_000 + b"e", {}, zipfile.ZIP_DEFLATED)
