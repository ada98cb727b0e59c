from burnrt.kernels.plain import linear as linear
