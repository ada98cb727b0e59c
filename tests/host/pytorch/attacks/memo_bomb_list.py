"""A list of lists, each holding the one before ten times: 10^90 paths, and no tensor at their ends."""

from kit.pytorch import pickles as p

EXPECTED = "read"
WORDS = ("[]",)


def build():
    """[[...] * 10] * 10, 90 times."""
    grown = b"]q\x00" + (b"0](" + b"h\x00" * 10 + b"eq\x00") * 90
    return p.checkpoint(p.a_dict({"x": grown}))
