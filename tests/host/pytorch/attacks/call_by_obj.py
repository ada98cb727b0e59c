"""The OBJ operation, whose class lies among its arguments."""

from kit.pytorch import pickles as p

EXPECTED = "Malformed"
WORDS = ("os.remove", "not run")


def build():
    """A call of os.remove."""
    return p.archive({"data.pkl": b"(cos\nremove\nX\x01\x00\x00\x00xo."})
