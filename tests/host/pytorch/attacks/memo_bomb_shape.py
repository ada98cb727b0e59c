"""A tuple that doubles itself, for a shape: neither looked through nor printed."""

from kit.pytorch import pickles as p

EXPECTED = "Malformed"
WORDS = ("no size", "tuple")


def build():
    """shape=(doubled, 1)."""
    doubled = p.doubled(100)
    return p.checkpoint(p.a_dict({"w": p.tensor("0", 4, (doubled, 1), (1, 1))}), {"0": bytes(16)})
