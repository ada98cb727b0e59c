"""Calls in the code of a frozen module that give each of its few constants thousands of names."""

import zipfile

from kit.pytorch import pickles as p

EXPECTED = "LimitExceeded"
WORDS = ("the code names too many tensors",)
COUNT = 30
HEAD = "class M(Module):\n  __parameters__ = []\n  __buffers__ = []\n"


def build():
    """A call for each constant, of a list that begins with it."""
    rest = ",CONSTANTS.c0" * 4000
    calls = [f"torch.lstm(x,h,[CONSTANTS.c{number}{rest}],True,1)\n" for number in range(COUNT)]
    records = {
        "data.pkl": p.pickled(p.name("__torch__", "M") + b")\x81}b"),
        "constants.pkl": p.pickled(p.a_tuple(*[p.tensor(str(number), 1) for number in range(COUNT)])),
        "code/__torch__.py": (HEAD + "".join(calls)).encode(),
        **{f"constants/{number}": bytes(4) for number in range(COUNT)},
    }
    return p.archive(records, zipfile.ZIP_DEFLATED)
