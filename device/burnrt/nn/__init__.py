"""The layers: Burn's class names, parameter names and layouts, PyTorch's order of arguments.

Each layer is imported when it is first used. Where PyTorch has another name for a layer, that name
leads to the same class. Some layers have parameters and no forward pass yet: a model that has them can be
described, loaded, converted and saved.
"""

_HOMES = {
    "AdaptiveAvgPool1d": "pool1d",
    "AdaptiveAvgPool2d": "pool",
    "Add": "add",
    "AvgPool1d": "pool1d",
    "AvgPool2d": "pool",
    "BatchNorm": "norm",
    "BiGru": "bidirectional",
    "BiLstm": "bidirectional",
    "BiRnn": "bidirectional",
    "Conv1d": "conv",
    "Conv2d": "conv",
    "Conv3d": "declared",
    "ConvTranspose1d": "conv_transpose",
    "ConvTranspose2d": "conv_transpose",
    "ConvTranspose3d": "declared",
    "DeformConv2d": "declared",
    "Dropout": "shape",
    "Embedding": "embedding",
    "Enum": "module",
    "Flatten": "shape",
    "GateController": "recurrent",
    "Gelu": "activation",
    "GroupNorm": "group_norm",
    "Gru": "gru",
    "HardSigmoid": "rectifier",
    "HardSwish": "rectifier",
    "Hardsigmoid": "rectifier",
    "Hardtanh": "rectifier",
    "Identity": "shape",
    "Index": "index",
    "InstanceNorm": "group_norm",
    "Layer": "layer",
    "LayerNorm": "norm",
    "LeakyRelu": "rectifier",
    "Linear": "linear",
    "LogSoftmax": "softmax",
    "Lstm": "lstm",
    "MaxPool1d": "pool1d",
    "MaxPool2d": "pool",
    "Module": "module",
    "ModuleList": "container",
    "MultiHeadAttention": "attention",
    "PRelu": "prelu",
    "Relu": "rectifier",
    "Relu6": "rectifier",
    "RmsNorm": "norm",
    "Rnn": "rnn",
    "Sequential": "container",
    "SiLU": "activation",
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
    "Hardswish": "HardSwish",
    "InstanceNorm1d": "InstanceNorm",
    "InstanceNorm2d": "InstanceNorm",
    "InstanceNorm3d": "InstanceNorm",
    "LSTM": "Lstm",
    "LeakyReLU": "LeakyRelu",
    "MultiheadAttention": "MultiHeadAttention",
    "PReLU": "PRelu",
    "RMSNorm": "RmsNorm",
    "RNN": "Rnn",
    "ReLU": "Relu",
    "ReLU6": "Relu6",
}

_NO_LAYERS = ("Enum", "Hardsigmoid", "Identity", "Index", "Layer", "Module")  # none of Burn's


def is_layer(name):
    """Return whether a layer of Burn's has this name."""
    return name in _HOMES and name not in _NO_LAYERS


def __getattr__(name):
    if name == "Param":
        return getattr(__import__("burnpack.module", None, None, (name,)), name)
    original = _ALIASES.get(name, name)
    if original not in _HOMES:
        raise AttributeError("burnrt.nn has no %s" % name)
    value = getattr(__import__("burnrt.nn." + _HOMES[original], None, None, (original,)), original)
    globals()[name] = value
    return value
