"""TorchScript code of eight million short lines, packed into eight kilobytes."""

import zipfile

from kit.pytorch import pickles as p

EXPECTED = "read"
WORDS = ("[]",)


def build():
    """A text and a look-up for each line would take half a gigabyte."""
    code = b"class M(Module):\n  __parameters__ = []\n  __buffers__ = []\n" + b"ab\n" * 2_700_000
    root = p.pickled(p.name("__torch__", "M") + b")R}b")
    records = {"data.pkl": root, "constants.pkl": p.pickled(b")"), "code/__torch__.py": code}
    return p.archive(records, zipfile.ZIP_DEFLATED)
