"""APPEND and SETITEM on what is neither list nor dict."""

from kit.pytorch import pickles as p

EXPECTED = "Malformed"
WORDS = ("appends to what is no list", "Global")


def build():
    """collections.OrderedDict.append(1)."""
    return p.checkpoint(p.name("collections", "OrderedDict") + p.integer(1) + b"a")
