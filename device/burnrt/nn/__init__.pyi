from burnrt.nn.activation import Gelu as Gelu
from burnrt.nn.activation import Sigmoid as Sigmoid
from burnrt.nn.activation import SiLU as SiLU
from burnrt.nn.activation import Tanh as Tanh
from burnrt.nn.add import Add as Add
from burnrt.nn.attention import MultiHeadAttention as MultiHeadAttention
from burnrt.nn.bidirectional import BiGru as BiGru
from burnrt.nn.bidirectional import BiLstm as BiLstm
from burnrt.nn.bidirectional import BiRnn as BiRnn
from burnrt.nn.cells import GruCell as GruCell
from burnrt.nn.cells import LstmCell as LstmCell
from burnrt.nn.cells import RnnCell as RnnCell
from burnrt.nn.container import ModuleList as ModuleList
from burnrt.nn.container import Sequential as Sequential
from burnrt.nn.conv import Conv1d as Conv1d
from burnrt.nn.conv import Conv2d as Conv2d
from burnrt.nn.conv_transpose import ConvTranspose1d as ConvTranspose1d
from burnrt.nn.conv_transpose import ConvTranspose2d as ConvTranspose2d
from burnrt.nn.declared import Conv3d as Conv3d
from burnrt.nn.declared import ConvTranspose3d as ConvTranspose3d
from burnrt.nn.declared import DeformConv2d as DeformConv2d
from burnrt.nn.embedding import Embedding as Embedding
from burnrt.nn.enum import Enum as Enum
from burnrt.nn.glu import GLU as GLU
from burnrt.nn.group_norm import GroupNorm as GroupNorm
from burnrt.nn.group_norm import InstanceNorm as InstanceNorm
from burnrt.nn.gru import Gru as Gru
from burnrt.nn.index import Index as Index
from burnrt.nn.layer import Layer as Layer
from burnrt.nn.linear import Linear as Linear
from burnrt.nn.lstm import Lstm as Lstm
from burnrt.nn.module import Module as Module
from burnrt.nn.module import Param as Param
from burnrt.nn.module_dict import ModuleDict as ModuleDict
from burnrt.nn.norm import BatchNorm as BatchNorm
from burnrt.nn.norm import LayerNorm as LayerNorm
from burnrt.nn.norm import RmsNorm as RmsNorm
from burnrt.nn.pad import CircularPad1d as CircularPad1d
from burnrt.nn.pad import CircularPad2d as CircularPad2d
from burnrt.nn.pad import ConstantPad1d as ConstantPad1d
from burnrt.nn.pad import ConstantPad2d as ConstantPad2d
from burnrt.nn.pad import ReflectionPad1d as ReflectionPad1d
from burnrt.nn.pad import ReflectionPad2d as ReflectionPad2d
from burnrt.nn.pad import ReplicationPad1d as ReplicationPad1d
from burnrt.nn.pad import ReplicationPad2d as ReplicationPad2d
from burnrt.nn.pad import ZeroPad1d as ZeroPad1d
from burnrt.nn.pad import ZeroPad2d as ZeroPad2d
from burnrt.nn.parameter import Parameter as Parameter
from burnrt.nn.pool import AdaptiveAvgPool2d as AdaptiveAvgPool2d
from burnrt.nn.pool import AdaptiveMaxPool2d as AdaptiveMaxPool2d
from burnrt.nn.pool import AvgPool2d as AvgPool2d
from burnrt.nn.pool import MaxPool2d as MaxPool2d
from burnrt.nn.pool1d import AdaptiveAvgPool1d as AdaptiveAvgPool1d
from burnrt.nn.pool1d import AdaptiveMaxPool1d as AdaptiveMaxPool1d
from burnrt.nn.pool1d import AvgPool1d as AvgPool1d
from burnrt.nn.pool1d import MaxPool1d as MaxPool1d
from burnrt.nn.prelu import PRelu as PRelu
from burnrt.nn.rectifier import HardSigmoid as HardSigmoid
from burnrt.nn.rectifier import Hardsigmoid as Hardsigmoid
from burnrt.nn.rectifier import HardSwish as HardSwish
from burnrt.nn.rectifier import Hardtanh as Hardtanh
from burnrt.nn.rectifier import LeakyRelu as LeakyRelu
from burnrt.nn.rectifier import Relu as Relu
from burnrt.nn.rectifier import Relu6 as Relu6
from burnrt.nn.rectifier import RReLU as RReLU
from burnrt.nn.recurrent import GateController as GateController
from burnrt.nn.rnn import Rnn as Rnn
from burnrt.nn.shape import Dropout as Dropout
from burnrt.nn.shape import Flatten as Flatten
from burnrt.nn.shape import Identity as Identity
from burnrt.nn.shrink import Hardshrink as Hardshrink
from burnrt.nn.shrink import Softshrink as Softshrink
from burnrt.nn.shrink import Tanhshrink as Tanhshrink
from burnrt.nn.shrink import Threshold as Threshold
from burnrt.nn.shuffle import ChannelShuffle as ChannelShuffle
from burnrt.nn.shuffle import PixelShuffle as PixelShuffle
from burnrt.nn.shuffle import PixelUnshuffle as PixelUnshuffle
from burnrt.nn.shuffle import Unfold as Unfold
from burnrt.nn.smooth import CELU as CELU
from burnrt.nn.smooth import ELU as ELU
from burnrt.nn.smooth import SELU as SELU
from burnrt.nn.smooth import LogSigmoid as LogSigmoid
from burnrt.nn.smooth import Mish as Mish
from burnrt.nn.smooth import Softplus as Softplus
from burnrt.nn.smooth import Softsign as Softsign
from burnrt.nn.softmax import LogSoftmax as LogSoftmax
from burnrt.nn.softmax import Softmax as Softmax
from burnrt.nn.softmax import Softmax2d as Softmax2d
from burnrt.nn.softmax import Softmin as Softmin
from burnrt.nn.unflatten import Unflatten as Unflatten
from burnrt.nn.upsample import Upsample as Upsample

AlphaDropout = Dropout
BatchNorm1d = BatchNorm
BatchNorm2d = BatchNorm
BatchNorm3d = BatchNorm
Dropout1d = Dropout
Dropout2d = Dropout
Dropout3d = Dropout
GELU = Gelu
GRU = Gru
GRUCell = GruCell
Hardswish = HardSwish
InstanceNorm1d = InstanceNorm
InstanceNorm2d = InstanceNorm
InstanceNorm3d = InstanceNorm
LSTM = Lstm
LSTMCell = LstmCell
LeakyReLU = LeakyRelu
MultiheadAttention = MultiHeadAttention
PReLU = PRelu
RMSNorm = RmsNorm
RNN = Rnn
RNNCell = RnnCell
ReLU = Relu
ReLU6 = Relu6

HOMES: str
ALIASES: str

def is_layer(name: str) -> bool: ...
