"""getattr on a class, by which gadgets climb to a function: an opaque object has no attributes."""

from kit.pytorch import pickles as p

EXPECTED = "Malformed"
WORDS = ("calls what is no class or function",)


def build():
    """getattr(OrderedDict, "__init__")(...)."""
    climbed = p.call(p.name("builtins", "getattr"), p.name("collections", "OrderedDict"), "__init__")
    return p.checkpoint(p.call(climbed, "touched"))
