"""A million names of classes."""

from kit.pytorch import pickles as p

EXPECTED = "LimitExceeded"
WORDS = ("too many classes",)


def build():
    """c a 0, c a 1, ..."""
    names = b"".join([b"ca\n%x\n" % number for number in range(1_100_000)])
    return p.checkpoint(b"(" + names + b"l")
