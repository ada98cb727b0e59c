"""EXT1: names in the process's copyreg registry, which an importing program may have filled."""

import copyreg

from kit.pytorch import pickles as p

EXPECTED = "Malformed"
WORDS = ("unknown operation",)


def build():
    """Code 7 stands for posix.system, and is in the registry's cache."""
    copyreg._extension_registry["posix", "system"] = 7
    copyreg._inverted_registry[7] = ("posix", "system")
    copyreg._extension_cache[7] = len
    return p.checkpoint(b"\x82\x07" + p.a_tuple("touch touched") + b"R")
