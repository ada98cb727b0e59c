"""The same in a set and a frozenset, which hash what they hold."""

from kit.pytorch import pickles as p

EXPECTED = "read"
WORDS = ("[]",)


def build():
    """{doubled}, frozenset([doubled])."""
    doubled = p.doubled(100)
    return p.checkpoint(p.a_list(b"\x8f(" + doubled + b"\x90", b"(" + doubled + b"\x91"))
