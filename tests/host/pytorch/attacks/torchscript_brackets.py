"""Eight million brackets in the code of a frozen module, and none that closes."""

import zipfile

from kit.pytorch import pickles as p

EXPECTED = "read"
WORDS = ("constants.0",)
COUNT = 1
HEAD = "class M(Module):\n  __parameters__ = []\n  __buffers__ = []\n"


def build():
    """Code of a frozen module, packed."""
    code = "CONSTANTS.c0" + "(" * 8_000_000
    constants = [p.tensor(str(number), 1) for number in range(COUNT)]
    records = {
        "data.pkl": p.pickled(p.name("__torch__", "M") + b")\x81}b"),
        "constants.pkl": p.pickled(p.a_tuple(*constants)),
        "code/__torch__.py": (HEAD + code).encode(),
        **{f"constants/{number}": bytes(4) for number in range(COUNT)},
    }
    return p.archive(records, zipfile.ZIP_DEFLATED)
