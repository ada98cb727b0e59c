"""700,000 tuples in each other, as a dict's key: hashing them would overflow the stack."""

from kit.pytorch import pickles as p

EXPECTED = "read"
WORDS = ("['w']",)


def build():
    """{(((...),),): 1, "w": tensor}."""
    deep = b")" + b"\x85" * 700_000
    return p.checkpoint(p.a_dict([(deep, 1), ("w", p.tensor("0", 4))]), {"0": bytes(16)})
