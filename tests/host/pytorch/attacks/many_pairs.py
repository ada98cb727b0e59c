"""A dict of 1.9 million pairs, each of which takes two bytes of the file and 64 of memory."""

from kit.pytorch import pickles as p

EXPECTED = "LimitExceeded"
WORDS = ("too many objects",)


def build():
    """{None: None, None: None, ...}."""
    return p.checkpoint(
        p.a_dict({"w": p.tensor("0", 4), "x": b"}(" + b"NN" * 1_900_000 + b"u"}), {"0": bytes(16)}
    )
