"""A dict of 50,000 pairs, copied 50,000 times."""

from kit.pytorch import pickles as p

EXPECTED = "LimitExceeded"
WORDS = ("too many objects",)


def build():
    """OrderedDict(d), OrderedDict(d), ..."""
    pairs = b"}(" + b"K\x00K\x00" * 50_000 + b"u"
    copies = (b"h\x01h\x00\x85R") * 50_000
    return p.checkpoint(pairs + b"q\x000" + p.name("collections", "OrderedDict") + b"q\x010(" + copies + b"l")
