"""Models whose arithmetic is integers: what `burnstore quantize` writes, run in place.

Each name is imported when it is first used.
"""

_HOMES = {"Model": "model"}


def __getattr__(name):
    # MicroPython asks here for submodules too, before it looks for their files.
    if name.startswith("_"):
        raise AttributeError(name)
    try:
        module = __import__("burnrt.int8." + _HOMES.get(name, name), None, None, (name,))
    except ImportError:
        raise AttributeError(name)
    value = getattr(module, name) if name in _HOMES else module
    globals()[name] = value
    return value
