"""300,000 opaque objects, each the state of the next, freed at once at the end."""

from kit.pytorch import pickles as p

EXPECTED = "read"
WORDS = ("['w']",)


def build():
    """o.state = (o.state = (...))."""
    one = b"h\x00)R"
    deep = p.name("bags", "Bag") + b"q\x000" + one * 300_000 + b"b" * 299_999
    return p.checkpoint(p.a_dict({"w": p.tensor("0", 4), "x": deep}), {"0": bytes(16)})
