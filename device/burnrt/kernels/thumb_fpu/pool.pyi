from burnrt.kernels.plain import adaptive_avg_pool2d as adaptive_avg_pool2d
from burnrt.kernels.plain import avg_pool2d as avg_pool2d
from burnrt.kernels.plain import max_pool2d as max_pool2d
