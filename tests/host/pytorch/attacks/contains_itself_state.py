"""An opaque object whose state is itself; it is described, not followed."""

from kit.pytorch import pickles as p

EXPECTED = "read"
WORDS = ("['w']",)


def build():
    """o.state = o."""
    loop = p.call(p.name("bags", "Bag")) + b"q\x00h\x00b"
    return p.checkpoint(p.a_dict({"w": p.tensor("0", 4), "x": loop}), {"0": bytes(16)})
