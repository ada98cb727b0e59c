"""Integers of one hash: a dict of 100,000 of them takes 10^10 steps to fill."""

from kit.pytorch import pickles as p

EXPECTED = "read"
WORDS = ("['w']",)


def build():
    """{k * (2**61 - 1): 0}."""
    pairs = [(number * ((1 << 61) - 1), 0) for number in range(1, 100_000)]
    return p.checkpoint(p.a_dict([*pairs, ("w", p.tensor("0", 4))]), {"0": bytes(16)})
