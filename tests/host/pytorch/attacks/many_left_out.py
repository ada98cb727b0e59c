"""Objects with tensors, each behind a list of thirty thousand values that hold none."""

from kit.pytorch import pickles as p

EXPECTED = "read"
WORDS = ("w",)


def build():
    """[a.B(long, t), a.B(long, t), ...]."""
    long = b"](" + b"(K\x00t" * 30_000 + b"eq\x000"
    made = (p.name("a", "B") + b"(" + b"h\x01h\x00tR") * 10_000
    state = p.a_dict({"w": p.tensor("0", 4), "x": b"](" + made + b"e"})
    return p.checkpoint(long + p.tensor("1", 4) + b"q\x010" + state, {"0": bytes(16), "1": bytes(16)})
