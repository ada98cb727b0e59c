"""A tensor of a subclass of a subclass of ..., 300 times."""

from kit.pytorch import pickles as p

EXPECTED = "read"
WORDS = ("w",)


def build():
    """_rebuild_from_type_v2(_rebuild_from_type_v2, ...)."""
    function = p.name("torch._tensor", "_rebuild_from_type_v2")
    deep = p.a_tuple(*[1] * 4)
    for _ in range(300):
        deep = p.a_tuple(function, function, deep, None)
    return p.checkpoint(p.a_dict({"w": function + deep + b"R"}))
