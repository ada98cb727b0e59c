"""Classes that a checkpoint may well have: they are opaque, and their modules are not imported."""

from kit.pytorch import pickles as p

EXPECTED = "read"
WORDS = ("['w']",)


def build():
    """Objects of the modules `antigravity` (opens a web page when imported), `this` and `idlelib.run`."""
    objects = {
        module: p.call(p.name(module, "Config"), 1) for module in ("antigravity", "this", "idlelib.run")
    }
    return p.checkpoint(p.a_dict({"w": p.tensor("0", 4), **objects}), {"0": bytes(16)})
