from collections.abc import Callable
from typing import Any

from burnrt.functional.activations import gelu as gelu
from burnrt.functional.activations import hardsigmoid as hardsigmoid
from burnrt.functional.activations import hardswish as hardswish
from burnrt.functional.activations import hardtanh as hardtanh
from burnrt.functional.activations import leaky_relu as leaky_relu
from burnrt.functional.activations import relu as relu
from burnrt.functional.activations import relu6 as relu6
from burnrt.functional.activations import sigmoid as sigmoid
from burnrt.functional.activations import silu as silu
from burnrt.functional.activations import tanh as tanh
from burnrt.functional.attention import scaled_dot_product_attention as scaled_dot_product_attention
from burnrt.functional.convolutions import conv1d as conv1d
from burnrt.functional.convolutions import conv2d as conv2d
from burnrt.functional.convolutions import conv_transpose1d as conv_transpose1d
from burnrt.functional.convolutions import conv_transpose2d as conv_transpose2d
from burnrt.functional.dense import embedding as embedding
from burnrt.functional.dense import linear as linear
from burnrt.functional.more_activations import celu as celu
from burnrt.functional.more_activations import elu as elu
from burnrt.functional.more_activations import glu as glu
from burnrt.functional.more_activations import hardshrink as hardshrink
from burnrt.functional.more_activations import logsigmoid as logsigmoid
from burnrt.functional.more_activations import mish as mish
from burnrt.functional.more_activations import prelu as prelu
from burnrt.functional.more_activations import rrelu as rrelu
from burnrt.functional.more_activations import selu as selu
from burnrt.functional.more_activations import softplus as softplus
from burnrt.functional.more_activations import softshrink as softshrink
from burnrt.functional.more_activations import softsign as softsign
from burnrt.functional.more_activations import tanhshrink as tanhshrink
from burnrt.functional.more_activations import threshold as threshold
from burnrt.functional.norms import batch_norm as batch_norm
from burnrt.functional.norms import group_norm as group_norm
from burnrt.functional.norms import instance_norm as instance_norm
from burnrt.functional.norms import layer_norm as layer_norm
from burnrt.functional.norms import rms_norm as rms_norm
from burnrt.functional.pooling import adaptive_avg_pool1d as adaptive_avg_pool1d
from burnrt.functional.pooling import adaptive_avg_pool2d as adaptive_avg_pool2d
from burnrt.functional.pooling import adaptive_max_pool1d as adaptive_max_pool1d
from burnrt.functional.pooling import adaptive_max_pool2d as adaptive_max_pool2d
from burnrt.functional.pooling import avg_pool1d as avg_pool1d
from burnrt.functional.pooling import avg_pool2d as avg_pool2d
from burnrt.functional.pooling import max_pool1d as max_pool1d
from burnrt.functional.pooling import max_pool2d as max_pool2d
from burnrt.functional.probability import log_softmax as log_softmax
from burnrt.functional.probability import softmax as softmax
from burnrt.functional.probability import softmin as softmin
from burnrt.functional.quantizing import fake_quantize_per_tensor_affine as fake_quantize_per_tensor_affine

HOMES: str
OPERATORS: str

def home(name: str) -> str | None: ...
def operator(name: str) -> Callable[..., Any]: ...
