"""Calls of what is no function: a text, a list, a tensor, a number."""

from kit.pytorch import pickles as p

EXPECTED = "Malformed"
WORDS = ("calls what is no class or function",)


def build():
    """A tensor, called."""
    return p.checkpoint(p.call(p.tensor("0", 4), 1), {"0": bytes(16)})
