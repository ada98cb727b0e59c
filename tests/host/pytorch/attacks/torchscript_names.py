"""TorchScript modules by the ten thousand, of a class that has 200,000 parameters by its code."""

from kit.pytorch import pickles as p

EXPECTED = "read"
WORDS = ("[]",)


def build():
    """Looking for each name in each module would take 2 * 10^9 steps."""
    names = "".join([f'"w{number:x}", ' for number in range(200_000)])
    code = f"class M(Module):\n  __parameters__ = [{names}]\n  __buffers__ = []\n"
    module = p.name("__torch__", "M") + b"q\x000"
    state = b"}(" + b"".join([p.text(str(number)) + b"h\x00)R}b" for number in range(10_000)]) + b"u"
    root = p.pickled(module + b"h\x00)R" + state + b"b")
    return p.archive({"data.pkl": root, "constants.pkl": p.pickled(b")"), "code/__torch__.py": code.encode()})
