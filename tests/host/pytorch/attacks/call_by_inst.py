"""The INST operation, which names a class and calls it at once."""

from kit.pytorch import pickles as p

EXPECTED = "Malformed"
WORDS = ("subprocess.Popen", "not run")


def build():
    """(S'touch' i subprocess Popen."""
    return p.archive({"data.pkl": b"(S'touch'\nS'touched'\nisubprocess\nPopen\n."})
