"""A tuple that doubles itself and is then a dict's key: hashing it takes 2^100 steps."""

from kit.pytorch import pickles as p

EXPECTED = "read"
WORDS = ("['w']",)


def build():
    """{doubled: 1, "w": tensor}."""
    doubled = p.doubled(100)
    return p.checkpoint(p.a_dict([(doubled, 1), ("w", p.tensor("0", 4))]), {"0": bytes(16)})
