"""A tuple that doubles itself 100 times."""

from kit.pytorch import pickles as p

EXPECTED = "read"
WORDS = ("[]",)


def build():
    """BINGET 0, BINGET 0, TUPLE2, BINPUT 0, in a loop."""
    return p.checkpoint(p.a_dict({"x": p.doubled(100)}))
