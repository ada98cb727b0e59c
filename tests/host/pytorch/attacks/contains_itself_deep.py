"""A list that contains itself through a tuple, a dict and an opaque object's items."""

from kit.pytorch import pickles as p

EXPECTED = "Malformed"
WORDS = ("contains itself",)


def build():
    """x = [({"a": Bag([x])},)]."""
    bag = p.call(p.name("bags", "Bag")) + b"h\x00a"
    return p.checkpoint(b"]q\x00" + p.a_tuple(p.a_dict({"a": bag})) + b"a")
