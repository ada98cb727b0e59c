from burnrt.kernels.int8.plain import add as add
from burnrt.kernels.int8.plain import add_strided as add_strided
from burnrt.kernels.int8.plain import avg_pool2d as avg_pool2d
from burnrt.kernels.int8.plain import conv2d as conv2d
from burnrt.kernels.int8.plain import copy as copy
from burnrt.kernels.int8.plain import depthwise2d as depthwise2d
from burnrt.kernels.int8.plain import embedding as embedding
from burnrt.kernels.int8.plain import fill as fill
from burnrt.kernels.int8.plain import gru as gru
from burnrt.kernels.int8.plain import linear as linear
from burnrt.kernels.int8.plain import linear4 as linear4
from burnrt.kernels.int8.plain import lookup as lookup
from burnrt.kernels.int8.plain import lookup_each as lookup_each
from burnrt.kernels.int8.plain import lstm as lstm
from burnrt.kernels.int8.plain import masked_softmax as masked_softmax
from burnrt.kernels.int8.plain import matmul as matmul
from burnrt.kernels.int8.plain import max_pool2d as max_pool2d
from burnrt.kernels.int8.plain import multiply_strided as multiply_strided
from burnrt.kernels.int8.plain import narrow as narrow
from burnrt.kernels.int8.plain import normalize as normalize
from burnrt.kernels.int8.plain import resample as resample
from burnrt.kernels.int8.plain import rnn as rnn
from burnrt.kernels.int8.plain import softmax as softmax
from burnrt.kernels.int8.plain import wide_add as wide_add
from burnrt.kernels.int8.plain import wide_conv2d as wide_conv2d
from burnrt.kernels.int8.plain import wide_lookup as wide_lookup
from burnrt.kernels.int8.plain import wide_multiply as wide_multiply

SETS: tuple[str, ...]

def use(name: str | None = None) -> None: ...
def in_use() -> list[str]: ...
def home(function: str) -> str: ...
