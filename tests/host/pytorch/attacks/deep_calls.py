"""Functions that stand for other functions, in each other."""

from kit.pytorch import pickles as p

EXPECTED = "Malformed"
WORDS = ("calls a function that calls",)


def build():
    """__newobj__(__newobj__, __newobj__, ...)."""
    return p.checkpoint(p.call(p.name("copyreg", "__newobj__"), *[p.name("copyreg", "__newobj__")] * 900))
