"""A memo with a negative number and one of 4,000 digits."""

from kit.pytorch import pickles as p

EXPECTED = "LimitExceeded"
WORDS = ("memo",)


def build():
    """PUT."""
    return p.checkpoint(b"Np-1\np" + b"9" * 4000 + b"\n")
