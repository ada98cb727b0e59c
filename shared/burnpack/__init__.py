"""Burn's model containers, for CPython and MicroPython alike.

Each name is imported when it is first used, so that a board needs memory only for what it uses.
"""

_HOMES = {
    "BurnpackError": "errors",
    "BurnpackStore": "store",
    "Enum": "module",
    "Limits": "limits",
    "Module": "module",
    "PathFilter": "filter",
    "Param": "module",
    "QFloat": "qfloat",
    "Reader": "reader",
    "SafetensorsStore": "safetensors_store",
    "Tensor": "tensor",
    "Writer": "writer",
}


def __getattr__(name):
    # MicroPython asks here for submodules too, before it looks for their files.
    if name.startswith("_"):
        raise AttributeError(name)
    home = "burnpack." + _HOMES.get(name, name)
    try:
        module = __import__(home, None, None, (name,))
    except ImportError:
        raise AttributeError(name)
    value = getattr(module, name) if name in _HOMES else module
    globals()[name] = value
    return value
