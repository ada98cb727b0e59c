"""A storage of 32 elements, seen as 2^21 times 2^21 through strides of zero."""

from kit.pytorch import pickles as p

EXPECTED = "LimitExceeded"
WORDS = (str(1 << 44),)


def build():
    """16 TiB."""
    return p.checkpoint(p.a_dict({"w": p.tensor("0", 32, (1 << 21, 1 << 21), (0, 0))}), {"0": bytes(128)})
