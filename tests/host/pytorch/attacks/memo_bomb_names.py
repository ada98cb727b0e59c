"""A dict of dicts that doubles itself, with a tensor at the ends: 2^90 names."""

from kit.pytorch import pickles as p

EXPECTED = "LimitExceeded"
WORDS = ("too many",)


def build():
    """{"a": d, "b": d}, 90 times."""
    grown = (
        p.tensor("0", 4) + b"q\x00" + (b"0}(" + p.text("a") + b"h\x00" + p.text("b") + b"h\x00uq\x00") * 90
    )
    return p.checkpoint(grown, {"0": bytes(16)})
