"""Names of a megabyte, in messages and in tables."""

from kit.pytorch import pickles as p

EXPECTED = "LimitExceeded"
WORDS = ("names are too long",)


def build():
    """A key of a megabyte at each of 100 levels."""
    nested = p.tensor("0", 4)
    for _ in range(100):
        nested = b"}h\x00" + nested + b"s"
    return p.checkpoint(p.text("x" * 1_000_000) + b"q\x000" + nested, {"0": bytes(16)})
