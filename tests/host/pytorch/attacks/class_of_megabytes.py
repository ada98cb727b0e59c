"""A class whose name is a megabyte long, and holds escape sequences for a terminal."""

from kit.pytorch import pickles as p

EXPECTED = "Unsupported"
WORDS = ("\\x1b",)


def build():
    """A module of that name, and nothing else."""
    return p.checkpoint(p.call(p.name("\x1b[2J" + "x" * 1_000_000, "Y")))
