"""A list of 50,000 numbers and a tensor, held 50,000 times."""

from kit.pytorch import pickles as p

EXPECTED = "LimitExceeded"
WORDS = ("too many values",)


def build():
    """[[0, 0, ..., tensor]] * 50,000."""
    wide = b"](" + b"K\x00" * 50_000 + p.tensor("0", 4) + b"eq\x00"
    return p.checkpoint(wide + b"0](" + b"h\x00" * 50_000 + b"e", {"0": bytes(16)})
