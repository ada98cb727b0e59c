from burnrt.kernels.plain import gelu as gelu
from burnrt.kernels.plain import gelu_tanh as gelu_tanh
from burnrt.kernels.plain import sigmoid as sigmoid
from burnrt.kernels.plain import silu as silu
from burnrt.kernels.plain import tanh as tanh
