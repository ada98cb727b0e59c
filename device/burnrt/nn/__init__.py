"""The layers: Burn's class names, parameter names and layouts, PyTorch's order of arguments.

Each layer is imported when it is first used. Where PyTorch has another name for a layer, that name
leads to the same class. Some layers have parameters and no forward pass yet: a model that has them can be
described, loaded, converted and saved.
"""

_HOMES = {
    "AdaptiveAvgPool2d": "pool",
    "AvgPool2d": "pool",
    "BatchNorm": "norm",
    "BiGru": "recurrent",
    "BiLstm": "recurrent",
    "BiRnn": "recurrent",
    "Conv1d": "conv",
    "Conv2d": "conv",
    "Conv3d": "convolutions",
    "ConvTranspose1d": "convolutions",
    "ConvTranspose2d": "convolutions",
    "ConvTranspose3d": "convolutions",
    "DeformConv2d": "convolutions",
    "Dropout": "shape",
    "Embedding": "embedding",
    "Flatten": "shape",
    "GateController": "recurrent",
    "Gelu": "activation",
    "GroupNorm": "norms",
    "Gru": "recurrent",
    "InstanceNorm": "norms",
    "Layer": "layer",
    "LayerNorm": "norm",
    "Linear": "linear",
    "LogSoftmax": "softmax",
    "Lstm": "recurrent",
    "MaxPool2d": "pool",
    "ModuleList": "container",
    "MultiHeadAttention": "attention",
    "PRelu": "prelu",
    "Relu": "activation",
    "RmsNorm": "norms",
    "Rnn": "recurrent",
    "Sequential": "container",
    "Sigmoid": "activation",
    "Softmax": "softmax",
    "Tanh": "activation",
}

_ALIASES = {
    "BatchNorm1d": "BatchNorm",
    "BatchNorm2d": "BatchNorm",
    "BatchNorm3d": "BatchNorm",
    "GELU": "Gelu",
    "GRU": "Gru",
    "InstanceNorm1d": "InstanceNorm",
    "InstanceNorm2d": "InstanceNorm",
    "InstanceNorm3d": "InstanceNorm",
    "LSTM": "Lstm",
    "MultiheadAttention": "MultiHeadAttention",
    "PReLU": "PRelu",
    "RMSNorm": "RmsNorm",
    "RNN": "Rnn",
    "ReLU": "Relu",
}

_PARTS = ("Enum", "Module", "Param")  # of models, from burnpack


def is_layer(name):
    """Return whether a layer of Burn's has this name."""
    return name in _HOMES and name != "Layer"


def __getattr__(name):
    if name in _PARTS:
        return getattr(__import__("burnpack.module", None, None, (name,)), name)
    original = _ALIASES.get(name, name)
    if original not in _HOMES:
        raise AttributeError("burnrt.nn has no %s" % name)
    value = getattr(__import__("burnrt.nn." + _HOMES[original], None, None, (original,)), original)
    globals()[name] = value
    return value
