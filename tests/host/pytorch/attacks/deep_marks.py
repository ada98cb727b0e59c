"""Three million marks without an end."""

from kit.pytorch import pickles as p

EXPECTED = "LimitExceeded"
WORDS = ("nested too deeply",)


def build():
    """A mark after a mark."""
    return p.checkpoint(b"(" * 3_000_000)
