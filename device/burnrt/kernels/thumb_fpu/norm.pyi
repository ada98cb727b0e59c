from burnrt.kernels.plain import layer_norm as layer_norm
from burnrt.kernels.plain import rms_norm as rms_norm
