from burnrt.kernels.plain import adaptive_avg_pool2d as adaptive_avg_pool2d
from burnrt.kernels.plain import adaptive_max_pool2d as adaptive_max_pool2d
from burnrt.kernels.plain import add as add
from burnrt.kernels.plain import affine as affine
from burnrt.kernels.plain import attention as attention
from burnrt.kernels.plain import avg_pool2d as avg_pool2d
from burnrt.kernels.plain import batch_norm as batch_norm
from burnrt.kernels.plain import buffer as buffer
from burnrt.kernels.plain import clamp as clamp
from burnrt.kernels.plain import conv2d as conv2d
from burnrt.kernels.plain import conv_transpose2d as conv_transpose2d
from burnrt.kernels.plain import copy_rows as copy_rows
from burnrt.kernels.plain import copy_strided as copy_strided
from burnrt.kernels.plain import elu as elu
from burnrt.kernels.plain import embedding as embedding
from burnrt.kernels.plain import fake_quantize as fake_quantize
from burnrt.kernels.plain import fill as fill
from burnrt.kernels.plain import floats as floats
from burnrt.kernels.plain import gelu as gelu
from burnrt.kernels.plain import gelu_tanh as gelu_tanh
from burnrt.kernels.plain import gru as gru
from burnrt.kernels.plain import hard_sigmoid as hard_sigmoid
from burnrt.kernels.plain import hard_swish as hard_swish
from burnrt.kernels.plain import index_select as index_select
from burnrt.kernels.plain import layer_norm as layer_norm
from burnrt.kernels.plain import lerp as lerp
from burnrt.kernels.plain import linear as linear
from burnrt.kernels.plain import log_softmax as log_softmax
from burnrt.kernels.plain import lstm as lstm
from burnrt.kernels.plain import max_pool2d as max_pool2d
from burnrt.kernels.plain import mish as mish
from burnrt.kernels.plain import multiply as multiply
from burnrt.kernels.plain import prelu as prelu
from burnrt.kernels.plain import quiet_softmax as quiet_softmax
from burnrt.kernels.plain import relu as relu
from burnrt.kernels.plain import resample2d as resample2d
from burnrt.kernels.plain import rms_norm as rms_norm
from burnrt.kernels.plain import rnn as rnn
from burnrt.kernels.plain import sigmoid as sigmoid
from burnrt.kernels.plain import silu as silu
from burnrt.kernels.plain import softmax as softmax
from burnrt.kernels.plain import softplus as softplus
from burnrt.kernels.plain import softsign as softsign
from burnrt.kernels.plain import tanh as tanh
from burnrt.kernels.plain import threshold as threshold
from burnrt.kernels.plain import weights as weights
from burnrt.types import NumberBuffer as NumberBuffer
from burnrt.types import Numbers as Numbers

SETS: tuple[str, ...]

def use(name: str | None = None) -> None: ...
def in_use() -> list[str]: ...
