"""A storage that claims 2^62 elements."""

from kit.pytorch import pickles as p

EXPECTED = "Malformed"
WORDS = (str(1 << 64), "16 bytes")


def build():
    """numel = 2^62."""
    return p.checkpoint(p.a_dict({"w": p.tensor("0", 1 << 62, (4,))}), {"0": bytes(16)})
