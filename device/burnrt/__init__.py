"""Runs Burn's models, on a board with MicroPython and on a computer with CPython.

Each name is imported when it is first used, so that a board needs memory only for what it uses.
"""

_HOMES = {"Model": "model", "Value": "value", "tensor": "value"}
_ABSENT = "%s is not on this board: `burnstore deploy --runtime --module FILE:CLASS` brings it"


def __getattr__(name):
    value = globals()[name] = part("burnrt", _HOMES, name)
    return value


def part(package, homes, name):
    """Return what `package` calls `name`: what the module in `homes` has, or else a module of its own.

    Raises `AttributeError` where there is no such module, `ImportError` where it lacks another one.
    """
    # MicroPython asks for submodules too, before it looks for their files.
    if name.startswith("_"):
        raise AttributeError(name)
    path = "%s.%s" % (package, homes.get(name, name))
    try:
        module = __import__(path, None, None, (name,))
    except ImportError as error:
        if not str(error).endswith("'%s'" % path):
            raise
        raise AttributeError(_ABSENT % path)
    return getattr(module, name) if name in homes else module
