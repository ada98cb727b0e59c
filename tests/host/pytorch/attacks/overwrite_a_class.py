"""BUILD on a class, which would change it for every later load."""

from kit.pytorch import pickles as p

EXPECTED = "Malformed"
WORDS = ("sets the state of what has none",)


def build():
    """OrderedDict.__init__ = ..."""
    return p.checkpoint(p.name("collections", "OrderedDict") + p.a_dict({"__init__": 1}) + b"b")
