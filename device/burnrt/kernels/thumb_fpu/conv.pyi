from burnrt.kernels.plain import conv2d as conv2d
