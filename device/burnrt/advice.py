"""What to write in a forward pass instead of what values can't do. Boards are spared these texts."""

from burnpack import errors

_OPERATORS = {
    "bool": "if x, bool(x)",
    "float": "float(x)",
    "int": "int(x)",
    "setitem": "x[...] = y",
}

_SCALE = "scale and shift in the weights and biases of a layer before or behind, or before the model"
_LEAVE_OUT = "leave it out: values are 32-bit floats, where they are"
_ORDER = "layers take dimensions as in PyTorch, recurrent layers and attention with batch_first either way"
_POOL = "nn.AdaptiveAvgPool1d(1) or nn.AdaptiveAvgPool2d(1), and nn.Flatten()"
_MOST = "nn.MaxPool1d or nn.MaxPool2d, as wide as what is looked at"
_NORM = "nn.LayerNorm, nn.RMSNorm, nn.GroupNorm or nn.BatchNorm, which compute it"
_JOIN = "a layer of its own for each part, and the sum of their answers: a + b"
_NUMBERS = "decide outside of the model; one number of a value of one dimension is x[0]"
_SOFTMAX = "self.softmax = nn.Softmax(dim), and self.softmax(x)"

# What is written after the last dot or as an operator: what to write.
_INSTEAD = {
    "T": _ORDER,
    "adaptive_avg_pool1d": "nn.AdaptiveAvgPool1d",
    "adaptive_avg_pool2d": "nn.AdaptiveAvgPool2d",
    "avg_pool1d": "nn.AvgPool1d",
    "avg_pool2d": "nn.AvgPool2d",
    "batch_norm": "nn.BatchNorm1d or nn.BatchNorm2d",
    "bool": _NUMBERS,
    "cat": _JOIN,
    "celu": "nn.CELU",
    "chunk": "slices, as in x[:, :4] and x[:, 4:]",
    "concat": _JOIN,
    "conv1d": "nn.Conv1d",
    "conv2d": "nn.Conv2d",
    "cuda": _LEAVE_OUT,
    "double": _LEAVE_OUT,
    "dropout": "nn.Dropout, or nothing",
    "elu": "nn.ELU",
    "embedding": "nn.Embedding",
    "float": _NUMBERS,
    "gelu": "nn.GELU",
    "group_norm": "nn.GroupNorm",
    "half": _LEAVE_OUT,
    "hardsigmoid": "nn.Hardsigmoid",
    "hardswish": "nn.Hardswish",
    "hardtanh": "nn.Hardtanh",
    "instance_norm": "nn.InstanceNorm1d or nn.InstanceNorm2d",
    "int": _NUMBERS,
    "interpolate": "nn.Upsample",
    "layer_norm": "nn.LayerNorm",
    "leaky_relu": "nn.LeakyReLU",
    "linear": "nn.Linear",
    "log_softmax": "nn.LogSoftmax(dim)",
    "mT": _ORDER,
    "max_pool1d": "nn.MaxPool1d",
    "max_pool2d": "nn.MaxPool2d",
    "mish": "nn.Mish",
    "movedim": _ORDER,
    "narrow": "slices, as in x[:, 2:6]",
    "normalize": _NORM,
    "numpy": "numpy.asarray(x), outside of the model",
    "permute": _ORDER,
    "prelu": "nn.PReLU",
    "relu": "self.relu = nn.ReLU(), and self.relu(x)",
    "relu6": "nn.ReLU6",
    "relu_": "self.relu = nn.ReLU(), and self.relu(x)",
    "scaled_dot_product_attention": "nn.MultiheadAttention",
    "select": "an index, as in x[:, 2]",
    "setitem": "a new value, from a layer",
    "sigmoid": "self.sigmoid = nn.Sigmoid(), and self.sigmoid(x)",
    "silu": "nn.SiLU",
    "softmax": _SOFTMAX,
    "softplus": "nn.Softplus",
    "softsign": "nn.Softsign",
    "split": "slices, as in x[:, :4] and x[:, 4:]",
    "stack": _JOIN,
    "swapaxes": _ORDER,
    "t": _ORDER,
    "tanh": "self.tanh = nn.Tanh(), and self.tanh(x)",
    "to": _LEAVE_OUT,
    "transpose": _ORDER,
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
    written = _OPERATORS.get(name) or name
    instead = _INSTEAD.get(name.rpartition(".")[2] if "." in name else name, _ELSE)
    return Unsupported("%s can't be done with a value; instead: %s" % (written, instead))
