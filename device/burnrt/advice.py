"""What to write in a forward pass instead of what values can't do. Boards are spared these texts."""

from burnpack import errors

_OPERATORS = {
    "bool": "if x, bool(x)",
    "float": "float(x)",
    "int": "int(x)",
    "setitem": "x[...] = y",
}

_LEAVE_OUT = "leave it out: values are 32-bit floats, where they are"
_NORM = "nn.LayerNorm, nn.RMSNorm, nn.GroupNorm or nn.BatchNorm, which compute it"
_NUMBERS = "decide outside of the model; one number of a value of one dimension is x[0]"

# What is written after the last dot or as an operator: what to write.
_INSTEAD = {
    "bool": _NUMBERS,
    "cuda": _LEAVE_OUT,
    "double": _LEAVE_OUT,
    "dropout": "nn.Dropout, or nothing",
    "float": _NUMBERS,
    "half": _LEAVE_OUT,
    "int": _NUMBERS,
    "normalize": _NORM,
    "numpy": "numpy.asarray(x), outside of the model",
    "relu_": "self.relu = nn.ReLU(), and self.relu(x)",
    "setitem": "a new value, from a layer",
    "to": _LEAVE_OUT,
    "type": _LEAVE_OUT,
}
_ELSE = "layers of burnrt.nn, a + b, reshape and slices; other things before or behind the model"


# What a value doesn't have is an AttributeError besides, for who only asks whether it is there.
try:
    Unsupported: "type[errors.Unsupported]" = type("Unsupported", (errors.Unsupported, AttributeError), {})
except TypeError:  # MicroPython's errors have one base
    Unsupported = errors.Unsupported


def advised(name: str) -> "errors.Unsupported":
    """Return the `Unsupported` that says what to write.

    name: of an operator, as in "mul" for `__mul__`, or what was written, as in "x.mean" and "torch.cat".
    """
    from burnrt.functional import home

    written = _OPERATORS.get(name) or name
    what = name.rpartition(".")[2] if "." in name else name
    instead = "burnrt.functional.%s" % what if home(what) else _INSTEAD.get(what, _ELSE)
    return Unsupported("%s can't be done with a value; instead: %s" % (written, instead))
