"""A text of a megabyte, encoded ten thousand times."""

from kit.pytorch import pickles as p

EXPECTED = "LimitExceeded"
WORDS = ("too many objects",)


def build():
    """codecs.encode(text, "latin1"), ..."""
    arguments = p.a_tuple("x" * 1_000_000, "latin1") + b"q\x000"
    return p.checkpoint(arguments + p.name("_codecs", "encode") + b"q\x010(" + b"h\x01h\x00R" * 10_000 + b"l")
