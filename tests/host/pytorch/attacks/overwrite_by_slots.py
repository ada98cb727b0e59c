"""BUILD with a pair of states, the second of which is set attribute by attribute."""

from kit.pytorch import pickles as p

EXPECTED = "Malformed"
WORDS = ("sets the state of what has none",)


def build():
    """torch._utils._rebuild_tensor_v2.__code__ = ..."""
    function = p.name("torch._utils", "_rebuild_tensor_v2")
    return p.checkpoint(function + p.a_tuple(None, p.a_dict({"__code__": 1, "build": 2})) + b"b")
