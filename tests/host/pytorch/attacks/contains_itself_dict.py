"""A dict that contains itself."""

from kit.pytorch import pickles as p

EXPECTED = "Malformed"
WORDS = ("contains itself", "['a']")


def build():
    """d["a"] = d."""
    return p.checkpoint(b"}q\x00" + p.text("a") + b"h\x00s")
