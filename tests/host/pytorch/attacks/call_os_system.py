"""The classic: a pickle that runs a command when it is loaded."""

from kit.pytorch import pickles as p

EXPECTED = "Malformed"
WORDS = ("posix.system", "not run")


def build():
    """A state dict with a call of os.system in it."""
    evil = p.call(p.name("posix", "system"), "touch touched")
    return p.checkpoint(p.a_dict({"w": p.tensor("0", 4), "x": evil}), {"0": bytes(16)})
