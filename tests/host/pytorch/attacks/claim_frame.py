"""A frame that claims 2^60 bytes; frames mean nothing here."""

from kit.pytorch import pickles as p

EXPECTED = "read"
WORDS = ("['w']",)


def build():
    """FRAME."""
    frame = b"\x95" + (1 << 60).to_bytes(8, "little")
    return p.checkpoint(frame + p.a_dict({"w": p.tensor("0", 4)}), {"0": bytes(16)})
