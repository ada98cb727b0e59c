"""A pickle of 90 MB in an archive of 90 KB."""

import zipfile

from kit.pytorch import pickles as p

EXPECTED = "LimitExceeded"
WORDS = ("the packed pickle is too large",)


def build():
    """90 million times None."""
    return p.archive({"data.pkl": p.pickled(b"N" * 90_000_000)}, zipfile.ZIP_DEFLATED)
