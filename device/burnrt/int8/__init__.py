"""Models whose arithmetic is integers: what `burnstore quantize` writes, run in place.

Each name is imported when it is first used.
"""

from burnrt import part

_HOMES = {"Model": "model"}


def __getattr__(name):
    value = globals()[name] = part("burnrt.int8", _HOMES, name)
    return value
