from burnrt.kernels.plain import quiet_softmax as quiet_softmax
from burnrt.kernels.plain import softmax as softmax
