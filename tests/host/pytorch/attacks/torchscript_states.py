"""30,000 TorchScript modules that share one state, in which they all are."""

from kit.pytorch import pickles as p

EXPECTED = "LimitExceeded"
WORDS = ("too many values",)


def build():
    """Each module would look through 30,000 attributes: 9 * 10^8 steps."""
    code = b"class M(Module):\n  __parameters__ = []\n  __buffers__ = []\n"
    module = p.name("__torch__", "M") + b"q\x000"
    modules = b"".join([p.text(str(number)) + b"h\x00)Rh\x01b" for number in range(30_000)])
    root = p.pickled(module + b"}q\x01(" + modules + b"u0h\x00)Rh\x01b")
    return p.archive({"data.pkl": root, "constants.pkl": p.pickled(b")"), "code/__torch__.py": code})
