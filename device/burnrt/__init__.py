"""Runs Burn's models where they are: on a board with MicroPython, and on a computer with CPython.

Each name is imported when it is first used: a board pays only for what it touches.
"""

_HOMES = {"Value": "value", "tensor": "value"}


def __getattr__(name):
    # MicroPython asks here for submodules too, before it looks for their files.
    if name.startswith("_"):
        raise AttributeError(name)
    try:
        module = __import__("burnrt." + _HOMES.get(name, name), None, None, (name,))
    except ImportError:
        raise AttributeError(name)
    value = getattr(module, name) if name in _HOMES else module
    globals()[name] = value
    return value
