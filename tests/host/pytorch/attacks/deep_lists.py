"""700,000 lists in each other: recursion would overflow the stack, in the walk or when they are freed."""

from kit.pytorch import pickles as p

EXPECTED = "LimitExceeded"
WORDS = ("nested too deeply", "128")


def build():
    """[[[...]]], 700,000 deep."""
    return p.checkpoint(b"]" * 700_000 + b"a" * 699_999)
