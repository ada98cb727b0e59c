"""The layers: Burn's class names, parameter names and layouts, PyTorch's order of arguments.

Each layer is imported when it is first used. Where PyTorch has another name for a layer, that name
leads to the same class. Some layers have parameters and no forward pass yet: a model that has them can be
described, loaded, converted and saved.
"""

# A line for each module: its name, and the layers in it. One text takes a board less than a table of texts.
HOMES = """
activation Gelu SiLU Sigmoid Tanh
add Add
attention MultiHeadAttention
bidirectional BiGru BiLstm BiRnn
cells GruCell LstmCell RnnCell
container ModuleList Sequential
conv Conv1d Conv2d
conv_transpose ConvTranspose1d ConvTranspose2d
declared Conv3d ConvTranspose3d DeformConv2d
embedding Embedding
enum Enum
group_norm GroupNorm InstanceNorm
glu GLU
gru Gru
index Index
layer Layer
linear Linear
lstm Lstm
module Module Param
module_dict ModuleDict
norm BatchNorm LayerNorm RmsNorm
pad CircularPad1d CircularPad2d ConstantPad1d ConstantPad2d ReflectionPad1d ReflectionPad2d
pad ReplicationPad1d ReplicationPad2d ZeroPad1d ZeroPad2d
parameter Parameter
pool AdaptiveAvgPool2d AdaptiveMaxPool2d AvgPool2d MaxPool2d
pool1d AdaptiveAvgPool1d AdaptiveMaxPool1d AvgPool1d MaxPool1d
prelu PRelu
rectifier HardSigmoid HardSwish Hardsigmoid Hardtanh LeakyRelu RReLU Relu Relu6
recurrent GateController
rnn Rnn
shape Dropout Flatten Identity
shrink Hardshrink Softshrink Tanhshrink Threshold
shuffle ChannelShuffle PixelShuffle PixelUnshuffle Unfold
smooth CELU ELU LogSigmoid Mish SELU Softplus Softsign
softmax LogSoftmax Softmax Softmax2d Softmin
unflatten Unflatten
upsample Upsample
"""

# A line for each layer that PyTorch has other names for: its name here, and those.
ALIASES = """
BatchNorm BatchNorm1d BatchNorm2d BatchNorm3d
Dropout AlphaDropout Dropout1d Dropout2d Dropout3d
Gelu GELU
Gru GRU
GruCell GRUCell
HardSwish Hardswish
InstanceNorm InstanceNorm1d InstanceNorm2d InstanceNorm3d
LeakyRelu LeakyReLU
Lstm LSTM
LstmCell LSTMCell
MultiHeadAttention MultiheadAttention
PRelu PReLU
Relu ReLU
Relu6 ReLU6
RmsNorm RMSNorm
Rnn RNN
RnnCell RNNCell
"""

_NO_LAYERS = "Enum Hardsigmoid Identity Index Layer Module ModuleDict Param Parameter"  # none of Burn's


def is_layer(name):
    """Return whether a layer of Burn's has this name."""
    return bool(_key(HOMES, name)) and name not in _NO_LAYERS.split()


def _key(table, name):
    """Return the first word of the line of a table that has `name` behind it, or None."""
    for line in table.split("\n"):
        words = line.split()
        if name in words[1:]:
            return words[0]
    return None


def __getattr__(name):
    original = _key(ALIASES, name) or name
    home = _key(HOMES, original)
    if home is None:
        raise AttributeError("burnrt.nn has no %s" % name)
    value = getattr(__import__("burnrt.nn." + home, None, None, (original,)), original)
    globals()[name] = value
    return value
